#!/usr/bin/env bash
# hallmark verify: a file inside of a bundle is held against the Info.plist and CodeResources that
# its signature seals.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

SEALED=$TESTBIN/tools/sealed
KEXT=10 # the kind that seals both

"$SEALED" file $KEXT >bare

# inspect --json judges as verify does.
expect_same_judgement() { # FILE
    hm --json verify "$1"
    jq '[.. | objects | select(has("level")) | [.id, .level, .expected, .actual]]' "$out" >verified
    hm --json inspect "$1"
    jq '[.. | objects | select(has("level")) | [.id, .level, .expected, .actual]]' "$out" >inspected
    expect_same verified inspected
    expect jq -e --slurpfile found inspected \
        '.files[0].slices[0].signature.valid == ([$found[0][] | select(.[1] == "error")] == [])' "$out"
}

# The bundle of each layout: FOLDER of the executable, FOLDER of Info.plist, of _CodeSignature
layouts=(
    'A.kext/Contents/MacOS A.kext/Contents A.kext/Contents'
    'A.app/Contents/MacOS A.app/Contents A.app/Contents'
    'Shallow.app Shallow.app Shallow.app'
    'A.framework/Versions/A A.framework/Versions/A/Resources A.framework/Versions/A'
    'Flat.framework Flat.framework Flat.framework'
    'T.xctest T.xctest T.xctest'
)

for layout in "${layouts[@]}"; do
    read -r code info signature <<<"$layout"
    file=$code/main
    mkdir -p "$code" "$info" "$signature/_CodeSignature"
    cp bare "$file"
    "$SEALED" info $KEXT >"$info/Info.plist"
    "$SEALED" resources $KEXT >"$signature/_CodeSignature/CodeResources"

    t "the seals hold: $code"
    hm verify --strict "$file"
    expect_code 0
    expect_out_is - <<<"good: $file"
    expect_same_judgement "$file"

    t "a changed Info.plist: $code"
    echo >>"$info/Info.plist"
    hm verify "$file"
    expect_code 1
    expect_out "^finding sig.special-slot: $file: special slot 1 \\(Info.plist\\) at offset [0-9]+, sha1"
    expect_out "^finding sig.special-slot: $file: special slot 1 \\(Info.plist\\) at offset [0-9]+, sha256"
    expect_same_judgement "$file"
    "$SEALED" info $KEXT >"$info/Info.plist"

    t "changed CodeResources: $code"
    echo >>"$signature/_CodeSignature/CodeResources"
    hm verify "$file"
    expect_code 1
    expect_out '^finding sig.special-slot: .*slot 3 \(CodeResources\)'

    t "what is sealed and not there: $code"
    rm "$info/Info.plist" "$signature/_CodeSignature/CodeResources"
    hm verify "$file"
    expect_code 1
    expect_out '^finding sig.special-slot: .*slot 1 \(Info.plist\)'
    expect_out '^finding sig.special-slot: .*slot 3 \(CodeResources\)'
    expect_out '^  actual:   the bundle has none'
    expect_out 'put the CodeResources that was sealed back into the bundle'
    expect_same_judgement "$file"
done

t 'outside of any bundle what is sealed cannot be asked: a warning'
hm verify bare
expect_code 0
expect_out '^warning sig.external-slot: .*slot 1 \(Info.plist\)'
expect_out '^warning sig.external-slot: .*slot 3 \(CodeResources\)'
expect_same_judgement bare
hm verify --strict bare
expect_code 1

t 'the way through a symbolic link'
"$SEALED" info $KEXT >A.framework/Versions/A/Resources/Info.plist
"$SEALED" resources $KEXT >A.framework/Versions/A/_CodeSignature/CodeResources
ln -s A A.framework/Versions/Current
ln -s Versions/Current/main A.framework/main
hm verify --strict A.framework/main
expect_code 0

t 'a name alone, from inside of the folder'
(cd A.framework/Versions/A && "$HALLMARK" verify --strict main) >here || fail 'not good'
expect cmp -s here - <<<'good: main'

t 'beside a bundle that is none'
mkdir -p folder
cp bare folder/main
"$SEALED" info $KEXT | tr d D >folder/Info.plist
hm verify folder/main
expect_code 0
expect_out '^warning sig.external-slot: .*slot 1 \(Info.plist\)'

t 'an Info.plist that cannot be read'
rm A.framework/Versions/A/Resources/Info.plist
mkdir A.framework/Versions/A/Resources/Info.plist
for command in verify '--json inspect'; do
    # shellcheck disable=SC2086
    hm $command A.framework/main
    expect_code 3
    expect_err 'while reading the bundle around'
done

t 'no signature at all'
"$HALLMARK" strip-signature bare -o unsigned
expect_same_judgement unsigned
expect jq -e '.files[0].slices[0].signature.findings[0].id == "sig.missing"' "$out"

finish

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

    t "the seals hold: $file"
    hm verify --strict "$file"
    expect_code 0
    expect_out_is - <<<"good: $file"
    expect_same_judgement "$file"

    t "a changed Info.plist: $file"
    echo >>"$info/Info.plist"
    hm verify "$file"
    expect_code 1
    expect_out "^finding sig.special-slot: $file: special slot 1 \\(Info.plist\\) at offset [0-9]+, sha1"
    expect_out "^finding sig.special-slot: $file: special slot 1 \\(Info.plist\\) at offset [0-9]+, sha256"
    expect_same_judgement "$file"
    "$SEALED" info $KEXT >"$info/Info.plist"

    t "changed CodeResources: $file"
    echo >>"$signature/_CodeSignature/CodeResources"
    hm verify "$file"
    expect_code 1
    expect_out '^finding sig.special-slot: .*slot 3 \(CodeResources\)'

    t "what is sealed and not there: $file"
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

t 'renewing keeps what was sealed of the bundle, and says so when that is not there any more'
main=A.app/Contents/MacOS signature=A.app/Contents/_CodeSignature
renewed() { # EXPECTED WARNING, or nothing
    cp bare $main/main
    hm sign --renew $main/main
    expect_code 0
    if [ $# -eq 0 ]; then
        expect_err_empty
    else
        expect_err_has "hallmark: sign: warning: the bundle that '$main/main' is in no longer has $1"
    fi
    expect_same $main/main bare
}
renewed 'the Info.plist and the CodeResources that its signature seals'
"$SEALED" info $KEXT >A.app/Contents/Info.plist
renewed 'the CodeResources that'
"$SEALED" resources $KEXT >$signature/CodeResources
renewed
echo >>A.app/Contents/Info.plist
renewed 'the Info.plist that'
hm --quiet sign --renew -o $main/other $main/main
expect_err_has "the bundle that '$main/other' is in no longer has the Info.plist that"
hm sign --renew -o elsewhere $main/main
expect_err_empty
rm $main/other A.app/Contents/Info.plist
mkdir A.app/Contents/Info.plist
hm sign --renew $main/main
expect_code 0
expect_err_has "warning: what '$main/main' seals of its bundle is not known: "
rmdir A.app/Contents/Info.plist

t 'a bundle in the place of a file: which file it is'
mkdir -p X.app.dSYM/Contents/Resources/DWARF Empty.bundle Two.app/Contents/MacOS
cp bare X.app.dSYM/Contents/Resources/DWARF/X
cp bare Two.app/Contents/MacOS/one
cp bare Two.app/Contents/MacOS/two
cp bare Shallow.app/Shallow
"$SEALED" info $KEXT >Shallow.app/Info.plist
"$SEALED" info $KEXT >Flat.framework/Info.plist
for pair in A.app:$main/main A.app/:$main/main "$PWD/A.app:$PWD/$main/main" \
    A.framework:A.framework/Versions/A/main X.app.dSYM:X.app.dSYM/Contents/Resources/DWARF/X \
    Two.app:Two.app/Contents/MacOS/... Shallow.app:Shallow.app/Shallow \
    Flat.framework:Flat.framework/...; do
    for command in verify inspect sign strip-signature 'verify --identifier x' 'lipo -archs'; do
        # shellcheck disable=SC2086 # several words
        hm $command "${pair%%:*}"
        expect_code 3
        expect_out_empty
        expect_err_has "'${pair%%:*}' is a bundle; give the Mach-O file in it, '${pair#*:}'"
    done
done
cp bare Two.app/Contents/MacOS/Two
hm verify Two.app
expect_err_has "in it, 'Two.app/Contents/MacOS/Two'"
hm --json inspect A.app
expect jq -e '.files[0].failure | endswith("A.app/Contents/MacOS/main'"'"'")' "$out"

t 'other directories, and files with such a name, are what they were'
hm inspect Empty.bundle
expect_code 3
expect_err_has "'Empty.bundle' is a directory, expected a regular file"
hm verify Empty.bundle
expect_code 3
expect_err_has 'holds neither SHA256SUMS nor'
cp bare File.app
hm inspect File.app
expect_code 0
echo >A.app/SHA256SUMS
hm verify A.app
expect_no_err 'is a bundle'
rm A.app/SHA256SUMS

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

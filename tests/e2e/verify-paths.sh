#!/usr/bin/env bash
# hallmark verify: single files, several paths one of which is broken, and release directories made
# by hostile hands.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
run "$HALLMARK" --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out good
dylib=good/Stranger.dylib

t 'a single file, with architecture, recipe and policy'
hm verify "$dylib"
expect_code 0
expect_out_is - <<OUT
good: $dylib
OUT
hm verify --arch arm64 --recipe stranger.yaml "$dylib"
expect_code 0
hm verify --arch x86_64 "$dylib"
expect_code 1
expect_out "^finding arch.mismatch: $dylib"
hm verify --arch z80 "$dylib"
expect_code 2
expect_err "unknown architecture 'z80'"
sed 's/13.0/12.0/; s/@rpath/@loader_path/' stranger.yaml >other.yaml
hm verify --recipe other.yaml "$dylib"
expect_code 1
expect_out '^finding build.min-os'
expect_out '^finding build.install-name'
cp "$dylib" Else.dylib
hm verify --recipe stranger.yaml Else.dylib
expect_code 3
expect_err "the recipe has no artifact named 'Else.dylib'"

t 'a policy'
printf 'rules:\n  - {id: a, reason: r, forbid: {strings: [asked], imports: [_NSLog], selectors: [processName]}}\n' >policy.yaml
for path in "$dylib" good; do
    hm verify --policy policy.yaml "$path"
    expect_code 1
    expect_out '^finding policy.string'
    expect_out '^finding policy.import'
    expect_out '^finding policy.selector'
done
printf 'rules:\n  - {id: a, reason: r, forbid: {strings: [not-there]}}\n' >policy.yaml
hm verify --policy policy.yaml "$dylib" good
expect_code 0
hm verify --policy nowhere.yaml "$dylib"
expect_code 3
expect_err "cannot open 'nowhere.yaml'"

t 'several paths: a broken one ends neither the others nor the answer'
echo text >text
hm verify text "$dylib" nowhere good
expect_code 3
expect_out "^good: $dylib$"
expect_out '^good: good$'
expect_err 'a text file is no Mach-O file'
expect_err "'nowhere' does not exist"
hm --json verify text "$dylib" nowhere good
expect_code 3
cp "$out" answer
run jq -r '.paths[] | .verdict' answer
expect_out_is - <<'VERDICTS'
failed
good
failed
good
VERDICTS

t 'answers and messages in one file: whole lines, in the order of the paths'
for ((i = 0; i < 150; i++)); do echo "$dylib"; done >many
for lines in "$(cat many)" "$(head -2 many)"; do
    mapfile -t paths <<<"$lines"
    run sh -c '"$@" 2>&1' sh "$HALLMARK" verify "${paths[@]}" text "${paths[@]}" nowhere
    expect_code 3
    sed -n 's/^hallmark: verify: .*\(nowhere\|text\).*/\1/p; s/^good: .*/good/p; s/^hallmark: verify: 2 of .*/&/p' "$out" |
        uniq >order
    run cat order
    expect_out_is - <<ORDER
good
text
good
nowhere
hallmark: verify: 2 of $((2 * ${#paths[@]} + 2)) paths could not be judged
ORDER
done

t 'files that are none'
: >empty
mkfifo pipe
for file in empty pipe /dev/null; do
    hm verify "$file"
    expect_code 3
done
head -c 100 "$dylib" >"cut"
hm verify cut
expect_code 3
expect_err 'truncated'
hm verify
expect_code 2

t 'hostile names in the sums of a release'
sum=$(sha256sum <stranger.yaml | cut -d' ' -f1)
for name in ../stranger.yaml "$PWD/stranger.yaml" a/../../stranger.yaml .. "attestations/../../x"; do
    rm -rf bad && cp -R good bad
    echo "$sum  $name" >>bad/SHA256SUMS
    hm verify bad
    expect_code 1
    expect_out '^finding sums.malformed: SHA256SUMS'
done
rm -rf bad && cp -R good bad
printf '%s  \033[31mred\n' "$sum" >>bad/SHA256SUMS
hm verify bad
expect_code 1
expect_out_has 'x1b[31mred'
grep -q "$(printf '\033')" "$out" && fail 'an escape byte is in stdout'

t 'links in a release are not followed, its pipes not opened'
rm -rf bad && cp -R good bad
rm bad/SHA256SUMS && ln -s ../good/SHA256SUMS bad/SHA256SUMS
hm verify bad
expect_code 1
rm -rf bad && cp -R good bad
rm bad/PROVENANCE.md && mkfifo bad/PROVENANCE.md
hm verify bad
expect_code 1
rm -rf bad && cp -R good bad
rm -rf bad/attestations && ln -s /etc bad/attestations
hm verify bad
expect_code 1

t 'an answer that cannot be written'
"$HALLMARK" verify good >/dev/full 2>"$err"
code=$?
expect_code 7
expect_err 'cannot write the answer to stdout'

finish

#!/usr/bin/env bash
# hallmark sums: what it writes sha256sum checks, and the other way round, whatever the names are.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

newline='a
b'
t 'odd names, both ways'
mkdir -p d/sub/deep
for name in plain ' lead' 'tra il ' "$newline" 'back\slash' 'back\nslash' '\' "qu'o\"te" '$x' '*' -rf \
    '.hidden' "$(printf '\303\244')" "$(printf '\377')" "$(printf 'cr\rx')" "$(printf 'esc\033[31m')" \
    'sub/deep/x' 'sub/a:b' '...' 'a  b'; do
    printf '%s' "content of $name" >"d/$name"
done
hm sums write d
expect_code 0
expect_out "^wrote 'd/SHA256SUMS' with 20 sums$"
expect sh -c 'cd d && sha256sum --strict --status -c SHA256SUMS'
hm sums check d
expect_code 0
mv d/SHA256SUMS ours
(cd d && find . -type f | sed 's,^\./,,' >/dev/null
    find . -type f -print0 | sed -z 's,^\./,,' | LC_ALL=C sort -z | xargs -0 sha256sum -- >../theirs)
mv theirs d/SHA256SUMS
hm sums check d
expect_code 0
expect_same ours d/SHA256SUMS

t 'binary mode of sha256sum'
mkdir binary && echo x >binary/x && (cd binary && sha256sum -b x >SHA256SUMS)
hm sums check binary
expect_code 0

t 'one sum is one'
mkdir single
echo 1 >single/file
hm sums write single
expect_out "^wrote 'single/SHA256SUMS' with 1 sum$"

t 'nothing is replaced'
hm sums write d
expect_code 6
expect_err "'d/SHA256SUMS' is there already"

t 'changed, missing, unlisted: all are told'
echo changed >d/plain
rm d/...
echo new >d/new
hm sums check d
expect_code 1
expect_out '^finding sums.mismatch: plain$'
expect_out '^finding sums.missing: \.\.\.$'
expect_out '^finding sums.unlisted: new$'
expect_out "^bad: 3 findings in 'd'$"
hm --json sums check d
expect_code 1
cp "$out" answer
run jq -r '[.findings[].id] | sort | join(" ")' answer
expect_out_is - <<'IDS'
sums.mismatch sums.missing sums.unlisted
IDS

t 'links and pipes are no files: they are refused, and never followed'
mkdir links && echo x >links/x
ln -s /etc/hostname links/link
hm sums write links
expect_code 3
expect_err "'link' is not a regular file and cannot be summed"
expect_only links x link
rm links/link && mkfifo links/pipe
hm sums write links
expect_code 3
rm links/pipe
hm sums write links
rm links/x && ln -s /etc/hostname links/x
hm sums check links
expect_code 1
expect_out '^finding sums.not-regular: x$'

t 'malformed sums'
mkdir bad && echo x >bad/x
good=$(cd bad && sha256sum x)
while IFS= read -r line; do
    printf "$line" >bad/SHA256SUMS
    hm sums check bad
    expect_code 1
    expect_out '^finding sums.malformed: SHA256SUMS$'
done <<LINES
garbage\n
$good
$(echo "$good" | tr a-f A-F | sed 's/  X/  x/')\n
${good:1}\n
$good\n$good\n
$(echo "$good" | sed 's,x$,../x,')\n
$(echo "$good" | sed 's,x$,/etc/passwd,')\n
$(echo "$good" | sed 's,x$,a/../../x,')\n
$(echo "$good" | sed 's,x$,..,')\n
\\\\\\\\$(echo "$good" | sed 's,x$,x\\\\\\\\q,')\n
\n
$good\n\n
$(echo "$good" | sed 's,  , ,')\n
LINES
printf '%s\0\n' "$good" >bad/SHA256SUMS
hm sums check bad
expect_code 1
expect_out '^finding sums.malformed: SHA256SUMS$'
: >bad/SHA256SUMS
hm sums check bad
expect_code 1
expect_out '^finding sums.malformed: SHA256SUMS$'

t 'no directory, an empty one, no sums'
hm sums check nowhere
expect_code 3
expect_err "'nowhere' does not exist, expected a directory"
hm sums write answer
expect_code 3
expect_err "'answer' is not a directory"
mkdir empty
hm sums write empty
expect_code 3
expect_err "'empty' holds no files to sum"
expect_only empty
hm sums check empty
expect_code 1
expect_out '^finding sums.missing: SHA256SUMS$'

t 'ten thousand files'
mkdir many
(cd many && seq 1 10000 | split -l 1 -a 4 - f)
hm sums write many
expect_code 0
expect sh -c 'cd many && sha256sum --strict --status -c SHA256SUMS'
hm sums check many
expect_code 0
expect_out_has "10000 files of 'many' match"
rm -rf many

t 'an output that cannot be written'
"$HALLMARK" sums check binary >/dev/full 2>"$err"
code=$?
expect_code 7
expect_err 'cannot write the answer to stdout'

finish

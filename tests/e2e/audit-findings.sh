#!/usr/bin/env bash
# hallmark audit and verify: a release in which something is wrong.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
head=$(rev)
run "$HALLMARK" --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out good
expect_code 0

fresh() {
    rm -rf bad
    cp -R good bad
}

# Replaces one byte of a file by another.
flip() { # FILE OFFSET
    local byte
    byte=$(dd if="$1" bs=1 skip="$2" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null
}

t 'one changed byte of any file is a finding of audit, wherever it is'
# Of each file the first and last bytes and some between, the same ones on every run.
for file in $(cd good && find . -type f | sed 's,^\./,,' | LC_ALL=C sort); do
    size=$(wc -c <"good/$file")
    for part in 0 137 500 861 1000; do
        offset=$((size * part / 1000))
        [ "$offset" -lt "$size" ] || offset=$((size - 1))
        fresh
        flip "bad/$file" "$offset"
        hm --quiet audit bad --repo stranger
        [ "$code" = 1 ] || fail "byte $offset of $file"
        expect_code 1
        case $file in
        attestations/*) expect_out '^finding observed\.' ;;
        SHA256SUMS) expect_out '^finding (sums|audit|observed)\.' ;;
        *) expect_out_has "finding sums.mismatch: $file" ;;
        esac
        expect_out "^bad: [0-9]+ findings? in 'bad'$"
    done
done

t 'verify finds the same without a repository'
for file in Stranger.dylib PROVENANCE.md provenance.intoto.json recipe.yaml; do
    fresh
    flip "bad/$file" 100
    hm verify bad
    expect_code 1
    expect_out_has "finding sums.mismatch: $file"
done

t 'the first differing byte is named by its structure'
fresh
flip bad/Stranger.dylib 20
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding audit.differs: Stranger.dylib'
expect_out 'actual: +1 byte differs, the first at offset 20 \(header\+0x14\)'
expect_out_has 'differs     Stranger.dylib'

t 'a forged release with sums that match is found by derivation'
fresh
sed -i.bak 's/A shim/A shin/' bad/PROVENANCE.md && rm -f bad/PROVENANCE.md.bak
flip bad/Stranger.dylib 4000
(cd bad && find . -maxdepth 1 -type f ! -name SHA256SUMS | sed 's,^\./,,' | LC_ALL=C sort |
    xargs sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding audit.differs: Stranger.dylib'
expect_out_has 'finding audit.differs: SHA256SUMS'
hm verify bad
expect_code 1
expect_out_has 'finding sig.page-hash: Stranger.dylib'
expect_out_has 'finding provenance.claim: Stranger.dylib: SHA-256'

t 'a missing file'
fresh
rm bad/Stranger.dylib
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'missing     Stranger.dylib'
expect_out_has 'finding audit.missing: Stranger.dylib'
expect_out_has 'finding sums.missing: Stranger.dylib'

t 'an unlisted file, folder and link'
fresh
echo x >bad/extra
mkdir bad/more
ln -s /etc/passwd bad/link
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'unexpected  extra'
expect_out_has 'finding sums.unlisted: extra'
expect_out_has 'finding sums.unlisted: more'
expect_out_has 'finding sums.not-regular: link'

t 'a listed file that is a symbolic link is not followed'
fresh
cp bad/Stranger.dylib elsewhere
rm bad/Stranger.dylib
ln -s ../elsewhere bad/Stranger.dylib
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding sums.not-regular: Stranger.dylib'
expect_out_has 'finding audit.missing: Stranger.dylib'

t 'sums that are no sums'
fresh
echo garbage >bad/SHA256SUMS
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding sums.malformed: SHA256SUMS'
expect_out_has 'differs     SHA256SUMS'

t 'no sums at all'
fresh
rm bad/SHA256SUMS
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding sums.missing: SHA256SUMS'
expect_out_has 'missing     SHA256SUMS'

t 'no record: nothing was derived, and that is not good'
fresh
rm bad/provenance.intoto.json
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding provenance.malformed: provenance.intoto.json'

t 'a record that names another commit cannot be derived from'
fresh
sed -i.bak "s/$head/$(echo "$head" | tr 0-9a-f 1-9a-f0)/g" bad/provenance.intoto.json
rm -f bad/*.bak
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding audit.not-derived: provenance.intoto.json'

t 'a good release and a repository that lacks the commit is invalid input'
mkrepo other
commit other
hm --quiet audit good --repo other
expect_code 3
expect_err_has "$head"

t 'no directory, a file, an empty directory'
hm audit nowhere --repo stranger
expect_code 3
expect_err_has "'nowhere' does not exist"
hm audit stranger.yaml --repo stranger
expect_code 3
expect_err_has "'stranger.yaml' is not a directory"
mkdir empty
hm audit empty --repo stranger
expect_code 3
expect_err_has 'holds neither SHA256SUMS nor provenance.intoto.json'

t 'usage'
hm audit good
expect_code 2
expect_err_has "'--repo DIR' is needed"
hm audit --repo stranger
expect_code 2

t 'a manifest is enough to compare digests'
rm -rf manifest && mkdir manifest
cp good/SHA256SUMS good/provenance.intoto.json good/PROVENANCE.md manifest/
hm --quiet audit manifest --repo stranger --manifest
expect_code 0
expect_out_has 'identical   Stranger.dylib'
hm --quiet audit manifest --repo stranger
expect_code 1
expect_out_has 'finding audit.missing: Stranger.dylib'
sed -i.bak 's/^./0/' manifest/SHA256SUMS && rm -f manifest/*.bak
hm --quiet audit manifest --repo stranger --manifest
expect_code 1
expect_out_has 'finding audit.differs'

t 'a record deeper or larger than any is refused, not followed'
fresh
awk 'BEGIN { for (i = 0; i < 100000; i++) printf "["; print "" }' >bad/provenance.intoto.json
hm --quiet audit bad --repo stranger
expect_code 1
expect_out_has 'finding provenance.malformed'

finish

#!/usr/bin/env bash
# ci/same-release: two machines derived the same bytes, or it says which files differ.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

same() { run "$SRCDIR/ci/same-release" "$@"; }

releases() { # two of them, the same
    rm -rf a b
    mkdir -p a/x-1.0 a/x-1.0/attestations
    echo one >a/x-1.0/one
    echo 'two words' >'a/x-1.0/two words'
    "$HALLMARK" sums write a/x-1.0 >"$out" 2>&1 || fail "no sums: $(cat "$out")"
    cp -R a b
    echo here >a/x-1.0/attestations/observed.json
    echo there >b/x-1.0/attestations/observed.json
}

t 'the same, whatever is said of the two runs'
releases
same a b
expect_code 0
expect_out_has 'x-1.0/one'
expect_err_empty

t 'a file differs, and its sums with it'
releases
echo other >b/x-1.0/one
rm b/x-1.0/SHA256SUMS
rm -r b/x-1.0/attestations
"$HALLMARK" sums write b/x-1.0 >"$out" 2>&1
same a b
expect_code 1
expect_out '^-[0-9a-f]{64}  x-1.0/one$'
expect_out '^\+[0-9a-f]{64}  x-1.0/SHA256SUMS$'
expect_no_out 'two words'

t 'equal sums over another file'
releases
echo other >b/x-1.0/one
same a b
expect_code 1
expect_err_has "'b': one is not what SHA256SUMS says"

t 'a file that is not there'
releases
rm 'b/x-1.0/two words'
same a b
expect_code 1
expect_err_has "'b': two words is not what SHA256SUMS says"

t 'a file more'
releases
echo more >a/x-1.0/more
same a b
expect_code 1
expect_out '^-[0-9a-f]{64}  x-1.0/more$'

t 'no release at all is not the same'
rm -rf a b
mkdir a b
same a b
expect_code 1
expect_err_has "there is no release in 'a'"
same a missing
expect_code 1
same a
expect_code 2

finish

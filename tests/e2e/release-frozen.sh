#!/usr/bin/env bash
# Each release of our own that is frozen under provenance/ can still be derived: golden digests.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

for manifest in "$SRCDIR"/provenance/*/; do
    name=$(basename "$manifest")
    t "derives $name byte for byte"
    if ! git -C "$SRCDIR" rev-parse --git-dir >"$out" 2>&1; then
        skip 'this is no git repository'
        continue
    fi
    commit=$(sed -n 's/.*"gitCommit": "\([0-9a-f]*\)".*/\1/p' "$manifest/provenance.intoto.json")
    if ! git -C "$SRCDIR" cat-file -e "$commit^{commit}" 2>/dev/null &&
        [ "$(git -C "$SRCDIR" rev-parse --is-shallow-repository)" = true ]; then
        skip "the commit $commit is not in this shallow clone"
        continue
    fi
    hm --quiet audit "$manifest" --repo "$SRCDIR" --manifest
    expect_code 0
    expect_out_has "come from commit $commit, by the digests of the manifest"
done

finish

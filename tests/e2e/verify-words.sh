#!/usr/bin/env bash
# The findings of a signature: the program, its header and its manual know the same ones.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

ids() { # PATTERN FILE...: the ids in the files, each once
    local pattern=$1
    shift
    grep -ohE "$pattern" "$@" | grep -oE '(sig|fat)\.[a-z][a-z0-9-]*' | LC_ALL=C sort -u
}

ids '"(sig|fat)\.[a-z0-9-]+"' "$SRCDIR"/src/macho/sigcheck*.c "$SRCDIR"/src/macho/codesig.c >code
ids '^ \*       (sig|fat)\.[a-z0-9-]+' "$SRCDIR/src/macho/sigcheck.h" >header
ids '^\.It (sig|fat)\.[a-z0-9-]+$' "$SRCDIR/src/hallmark.1" >manual

t 'there are findings to compare'
expect test "$(wc -l <code)" -gt 30

t 'the header lists every finding, and no other'
expect_same code header

t 'the manual explains every finding, and no other'
expect_same code manual

finish

#!/usr/bin/env bash
# hallmark archive: the bytes of git archive over random commits, from a printed seed.
# HALLMARK_SEED=N repeats a run.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

count=200
[ "$HALLMARK_VARIANT" = plain ] || count=60

t "$count random commits give the bytes of git archive"
run env SEED="${HALLMARK_SEED:-$RANDOM$RANDOM}" "$SRCDIR/tests/archive/random-repos" "$HALLMARK" "$count"
cat "$out"
expect_code 0
expect_out '^[0-9]+ equal, [0-9]+ failed in both, [0-9]+ refused, 0 differ$'

t 'a program that answers wrongly is noticed'
cat >wrong <<'SH'
#!/bin/sh
"$HALLMARK" "$@" | sed 's/0000664/0000644/'
SH
chmod +x wrong
run "$SRCDIR/tests/archive/random-repos" "$PWD/wrong" 10 1
expect_code 1
expect_out 'differs: commit [0-9]+: other bytes'

t 'a program that refuses everything is noticed'
printf '#!/bin/sh\necho "attribute filter=x is not supported" >&2\nexit 3\n' >refuses
chmod +x refuses
run "$SRCDIR/tests/archive/random-repos" "$PWD/refuses" 10 1
expect_code 1
expect_out_has 'too few were compared'

finish

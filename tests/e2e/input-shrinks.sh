#!/usr/bin/env bash
# A file that is cut short by somebody else while it is mapped: exit code 7 and its name, never a
# verdict, and nothing is left behind.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

t 'a file that shrinks'
if [ "$HALLMARK_VARIANT" != plain ]; then
    skip 'the library that cuts the file cannot be preloaded here'
    finish
fi
"$TESTBIN/tools/macho_make" small >small.dylib
hm sign small.dylib -o $'signed\x1b.dylib'
expect_code 0

for command in inspect 'inspect --json' verify sign 'sign --renew' strip-signature; do
    t "$command"
    mkdir work
    file=$'work/signed\x1b.dylib'
    cp $'signed\x1b.dylib' "$file"
    # shellcheck disable=SC2086
    run env LD_PRELOAD="$TESTBIN/faults/fault.so" FAULT_CALL=mmap FAULT_AT=1 FAULT_CUT="$file" \
        "$HALLMARK" $command "$file"
    expect_code 7
    expect_err_has "'work/signed\\x1b.dylib' was cut short while it was read (SIGBUS)"
    expect_err_has '  hint: run again when nothing writes to it'
    expect_only work $'signed\x1b.dylib'
    rm -r work
done

finish

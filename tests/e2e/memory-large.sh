#!/usr/bin/env bash
# verify, inspect and sign: what is in memory does not grow with the file.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
# A signature has a hash for each page: 8 MiB for 1 GiB. Signing makes it in memory, the others read
# it in the mapped file.
small=$((100 << 20)) large=$((1 << 30)) growth_kib=8192 sign_growth_kib=24576 limit_kib=32768
[ "$HALLMARK_VARIANT" = plain ] || small=$((1 << 20)) large=$((16 << 20))

# ARGUMENT...: how much is in memory with the file `small` and with `large`, in `from` and `to`.
measure() {
    run "$TESTBIN/tools/maxrss" rss "$HALLMARK" "$@" small
    expect_code "$wanted"
    from=$(cat rss)
    run "$TESTBIN/tools/maxrss" rss "$HALLMARK" "$@" large
    expect_code "$wanted"
    to=$(cat rss)
    echo "# $*: $from KiB in memory with $((small >> 20)) MiB, $to KiB with $((large >> 20)) MiB"
}

# KIB: allowed is that much more for the large file, and the limit beyond that for the small one.
expect_growth() {
    # A sanitizer keeps a shadow of the memory.
    [ "$HALLMARK_VARIANT" = plain ] || return 0
    [ "$from" -le "$limit_kib" ] || fail "$from KiB in memory, allowed are $limit_kib"
    [ "$to" -le $((from + $1)) ] || fail "$to KiB in memory, allowed are $((from + $1))"
}

"$TESTBIN/tools/macho_large" small "$small"
"$TESTBIN/tools/macho_large" large "$large"
wanted=0

t 'sign'
measure sign
expect_growth "$sign_growth_kib"

t 'verify'
measure verify
expect_growth "$growth_kib"

t 'inspect'
measure inspect
expect_growth "$growth_kib"

t 'inspect, with digest and verdict'
measure --json inspect
expect_growth "$growth_kib"

t 'verify names many bad pages'
for file in small large; do
    for mib in $(seq 1 2 $(($(stat -c %s $file) >> 20))); do
        printf x | dd of=$file bs=1 seek=$((mib * 1048576 - 524288)) conv=notrunc status=none
    done
done
wanted=1
measure verify
expect_growth "$growth_kib"

finish

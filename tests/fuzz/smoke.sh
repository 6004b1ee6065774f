#!/usr/bin/env bash
# A few seconds of libFuzzer with one target: not to find much, but so that targets, seeds and
# corpora keep working together, and what is wrong at once is seen at once.
#
# usage: tests/fuzz/smoke.sh FUZZ_BUILD NAME       (tests/run calls it)
#
# Prints a result line; the input that crashed is printed in base 64, since the directory goes away.
set -u
build=$1 name=$2
seconds=5

mkdir seeds found
"$build/tests/fuzz/fuzz_$name" --write-seeds seeds || exit 1
options=(-max_total_time="$seconds" -seed=1 -timeout=10 -rss_limit_mb=2048 -max_len=16384
    -artifact_prefix=crash-)
[ ! -f "$SRCDIR/tests/fuzz/$name.dict" ] || options+=(-dict="$SRCDIR/tests/fuzz/$name.dict")
folders=(found seeds)
[ ! -d "$SRCDIR/tests/fuzz/corpus/$name" ] || folders+=("$SRCDIR/tests/fuzz/corpus/$name")

if "$build/tests/libfuzzer/fuzz_$name" "${options[@]}" "${folders[@]}" >log 2>&1; then
    echo "ok - $seconds seconds: $(tail -1 log)"
    exit 0
fi
tail -60 log
for input in crash-*; do
    [ ! -f "$input" ] || { echo "# the input, in base 64:"; base64 "$input" | head -400; }
done
echo "not ok - $seconds seconds of libFuzzer"
exit 1

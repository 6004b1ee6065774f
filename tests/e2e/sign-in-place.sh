#!/usr/bin/env bash
# hallmark sign replaces a file whole or not at all: calls that fail, signals, folders that cannot be
# written, hard links; and says when the file belongs to a bundle.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

cat >small.c <<'C'
int answer(void) { return 42; }
C
clang-19 --no-default-config -target arm64-apple-macos13.0 -O1 -c small.c -o small.o
ld64.lld-19 -arch arm64 -dylib -platform_version macos 13.0 14.0 \
    -install_name @rpath/libsmall.dylib small.o -o small.dylib
hm --quiet sign --identifier x.y -o good.dylib small.dylib

t 'hard links: the others keep the old file, which is said'
cp small.dylib one
ln one two
hm sign --identifier x.y one
expect_code 0
expect_err "warning: 'one' had 2 names \(hard links\)"
expect_same one good.dylib
expect_same two small.dylib

t 'in a bundle: the file alone is signed, which is said'
for place in App.app/Contents/MacOS/x:App.app/Contents F.framework/Versions/A/x:F.framework/Versions/A/Resources \
    Shallow.app/x:Shallow.app; do
    file=${place%%:*} folder=${place#*:}
    mkdir -p "$(dirname "$file")" "$folder"
    cp small.dylib "$file"
    echo '<plist><dict/></plist>' >"$folder/Info.plist"
    hm sign --identifier x.y "$file"
    expect_code 0
    expect_err "warning: '$file' is signed as a file by itself; the bundle that it is in \(.*Info\.plist\) is not sealed"
    expect_same "$file" good.dylib
    hm sign --renew "$file"
    expect_code 0
    expect_err_empty
done

t 'a file that may not become so large: the old one stays, and nothing beside it'
mkdir limited
cp small.dylib limited/one
(ulimit -f 8 && exec "$HALLMARK" sign limited/one) >limited.out 2>limited.err
expect test "$?" -eq 7
expect grep -q 'File too large' limited.err
expect_same limited/one small.dylib
expect test "$(ls -A limited)" = one

t 'a folder that cannot be written'
if [ "$(id -u)" = 0 ]; then
    skip 'root may write everywhere'
else
    mkdir closed
    cp small.dylib closed/lib.dylib
    chmod 0555 closed
    hm sign closed/lib.dylib
    expect_code 7
    expect_err "cannot create a file beside '.*closed/lib.dylib': Permission denied"
    chmod 0755 closed
    expect_same closed/lib.dylib small.dylib
    expect_only closed lib.dylib
fi

if [ "$(uname -s)" != Linux ] || [ "$HALLMARK_VARIANT" = asan ]; then
    t 'calls that fail'
    skip 'the library that makes calls fail cannot be preloaded here'
    finish
fi

# Signs in place with the Nth call of a kind failing, or a signal at it.
faulty() { # VARIABLE...
    rm -rf work
    mkdir work
    cp small.dylib work/lib.dylib
    run env LD_PRELOAD="$TESTBIN/faults/fault.so" "$@" \
        "$HALLMARK" sign --identifier x.y work/lib.dylib
    expect_only work lib.dylib
}

for call in open-new write fsync rename chmod close mmap; do
    t "$call fails: the old file, whole, or the new one"
    for ((n = 1; n < 20; n++)); do
        faulty FAULT_CALL=$call FAULT_AT=$n FAULT_ERRNO=28
        [ "$code" = 0 ] && break
        expect_code 7
        expect_err "No space left"
        # Only what comes after the rename can fail with the new file in place.
        cmp -s work/lib.dylib small.dylib || expect_same work/lib.dylib good.dylib
    done
    expect_code 0
    expect_same work/lib.dylib good.dylib
done

t 'a signal at any write: the old file, and nothing beside it'
for ((n = 1; n < 20; n++)); do
    faulty FAULT_CALL=write FAULT_AT=$n FAULT_ERRNO=0 FAULT_SIGNAL=15
    [ "$code" = 143 ] || break
    expect_same work/lib.dylib small.dylib
done
expect test "$n" -gt 1

finish

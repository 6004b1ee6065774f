#!/usr/bin/env bash
# hallmark release: where the output may go, and what happens when it cannot go there.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/scripted.sh"

scripted work

to() { # OUT [ARGUMENT...]
    hm --quiet release --repo work --rev main --out "$@"
}

as_root=no
[ "$(id -u)" != 0 ] || as_root=yes
# As nobody where we are root: permissions bind only others.
as_user() { # COMMAND...
    if [ $as_root = no ]; then
        run "$@"
    else
        run setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent \
            TMPDIR="$open_tmp" GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory \
            GIT_CONFIG_VALUE_0='*' "$@"
    fi
}
can_be_user=yes
if [ $as_root = yes ] && ! command -v setpriv >/dev/null; then
    can_be_user=no
fi

t 'an output that is there already is never touched'
mkdir "$outs/r"
echo mine >"$outs/r/file"
to "$outs/r"
expect_code 6
expect_err "^hallmark: release: '$outs/r' is there already$"
expect_err 'hint: nothing that is there is overwritten: name another, or move it away'
expect_only "$outs/r" file
expect_clean r
rm "$outs/r/file"
to "$outs/r"
expect_code 6
to "$outs/r/"
expect_code 6
to "$outs/r//"
expect_code 6
expect_only "$outs/r"
rmdir "$outs/r"

t 'a file, a dangling link, a link to a directory, a pipe'
echo mine >"$outs/file"
ln -s nowhere "$outs/dangling"
ln -s . "$outs/link"
mkfifo "$outs/pipe"
for name in file dangling link pipe; do
    to "$outs/$name"
    expect_code 6
    expect_err "'$outs/$name' is there already"
done
expect_clean file dangling link pipe
expect_no_file "$outs/nowhere"
expect grep -qx mine "$outs/file"
rm "${outs:?}"/*

t 'a parent that is missing, or is a file'
to "$outs/no/r"
expect_refused 3 "cannot open directory '$outs/no': No such file or directory"
expect_err "hint: make the directory first, it is to hold 'r'"
echo x >file
to file/r
expect_refused 3 "cannot open directory 'file': Not a directory"

t 'names that are none'
for name in . .. / // "$outs/." "$outs/.."; do
    to "$name"
    expect_refused 2 "'.*' does not name a new file or directory"
done
to ''
expect_refused 2 "no output given, '--out DIR' is needed"
long=$(printf 'x%.0s' $(seq 1 256))
to "$outs/$long"
expect_refused 7 'File name too long'

t 'trailing slashes, a relative path, odd names'
to "$outs/r///"
expect_code 0
expect_clean r
rm -rf "$outs/r"
mkdir -p sub
hm --quiet -C sub release --repo ../work --rev main --out ../work.out/r
expect_code 0
expect_clean r
cp -R "$outs/r" good
rm -rf "$outs/r" good/attestations sub
newline='a
b'
max=$(printf 'x%.0s' $(seq 1 255))
for name in 'with blanks  in it' "$newline" '-rf' "quo'te\"s" '$HOME' '*' "$(printf '\303\244')" "$max" \
    '.hidden' '\'; do
    to "$outs/$name"
    expect_code 0
    hm verify "$outs/$name"
    expect_code 0
    rm -rf "${outs:?}/$name/attestations"
    expect_same good "$outs/$name"
    rm -rf "${outs:?}/$name"
    expect_clean
done
hm --quiet release --repo work --rev main --out=-odd
expect_code 0
rm -rf ./-odd

t 'a control byte in the name does not reach the terminal'
to "$outs/$(printf '\033[31m')/r"
expect_refused 3 'x1b.31m'
grep -q "$(printf '\033')" "$err" && fail 'an escape byte is in stderr'

t 'an output that appears while we work is not replaced'
make_directory() { # what the compiler does, which may not write there itself: a helper does
    local i=0
    while ! compgen -G "$TMPDIR/hallmark-*/tmp/started" >/dev/null && [ "$i" -lt 200 ]; do
        sleep 0.05
        i=$((i + 1))
    done
    "$@"
    : >"$bin/go"
}
behave scripted-cc ': >../tmp/started; while [ ! -e $bin/go ]; do sleep 0.05; done
echo object >$out; echo "$out: $source" >$dep'
for make in 'mkdir' 'touch' 'ln -s nowhere'; do
    rm -f "$bin/go"
    # shellcheck disable=SC2086
    make_directory $make "$outs/r" &
    to "$outs/r"
    wait
    expect_code 6
    expect_err "'$outs/r' is there already"
    expect_err 'while at stage publish'
    expect_clean r
    rm -rf "$outs/r"
done
behave scripted-cc

t 'two releases into the same place at once: one is made, the other is refused'
for i in 1 2 3 4 5; do
    (
        "$HALLMARK" --quiet release --repo work --rev main --out "$outs/r" >one.out 2>one.err
        echo $? >one.code
    ) &
    "$HALLMARK" --quiet release --repo work --rev main --out "$outs/r" >two.out 2>two.err
    echo $? >two.code
    wait
    run sort one.code two.code
    expect_out_is - <<'CODES'
0
6
CODES
    hm verify "$outs/r"
    expect_code 0
    expect_clean r
    rm -rf "$outs/r"
done

t 'and into different ones: both are made, equal'
"$HALLMARK" --quiet release --repo work --rev main --out "$outs/a" >one.out 2>one.err &
to "$outs/b"
expect_code 0
wait
expect_clean a b
rm -rf "${outs:?}"/*/attestations
expect_same "$outs/a" "$outs/b"
rm -rf "${outs:?}"/*

t 'a full disk, for the output and for scratch space'
mkdir small
if [ $as_root = no ] || ! mount -t tmpfs -o size=64k none small 2>/dev/null; then
    skip 'no small file system can be mounted here'
else
    dd if=/dev/zero of=small/filler bs=4096 count=13 2>/dev/null
    to small/r
    expect_refused 7 'No space left on device'
    expect_err "^hallmark: release: cannot .*'"
    expect_only small filler
    dd if=/dev/zero of=small/more bs=4096 count=13 2>/dev/null
    to small/r
    expect_refused 7 'No space left on device'
    rm small/more small/filler
    third=$TMPDIR
    dd if=/dev/zero of=small/filler bs=4096 count=15 2>/dev/null
    TMPDIR=$PWD/small to "$outs/r"
    expect_code 7
    expect_err 'No space left on device'
    expect_only small filler
    TMPDIR=$third
    expect_clean
    rm small/filler
    umount small
fi

t 'no inodes left'
if [ $as_root = no ] || ! mount -t tmpfs -o nr_inodes=6 none small 2>/dev/null; then
    skip 'no small file system can be mounted here'
else
    to small/r
    expect_refused 7 'No space left on device'
    expect_only small
    umount small
fi

t 'a read-only place'
if [ $as_root = no ] || ! mount -t tmpfs -o ro none small 2>/dev/null; then
    skip 'no file system can be mounted here'
else
    to small/r
    expect_refused 7 "cannot make a directory beside 'small/r': Read-only file system"
    TMPDIR=$PWD/small hm --quiet release --repo work --rev main --out "$outs/r"
    expect_code 7
    expect_err "cannot make a scratch directory in '.*/small': Read-only file system"
    expect_err 'hint: set TMPDIR to a directory that can be written'
    expect_clean
    umount small
fi
rmdir small

t 'a place that may not be written'
if [ $can_be_user = no ]; then
    skip 'root may write everywhere, and cannot become another user here'
else
    # A directory that nobody may reach: this one may lie below a private one.
    open_dir=$(mktemp -d /tmp/hallmark-output.XXXXXX)
    open_tmp=$open_dir/tmp
    mkdir "$open_tmp" "$open_dir/closed" "$open_dir/bin"
    chmod 755 "$open_dir" && chmod 1777 "$open_tmp" && chmod 555 "$open_dir/closed"
    cp "$HALLMARK" "$open_dir/hallmark"
    git clone -q --bare work "$open_dir/work.git"
    if as_user "$open_dir/hallmark" --version && [ "$code" != 0 ]; then
        skip 'another user cannot run hallmark here'
    else
        as_user "$open_dir/hallmark" release --repo "$open_dir/work.git" --rev main \
            --out "$open_dir/closed/r"
        expect_refused 7 "cannot make a directory beside '$open_dir/closed/r': Permission denied"
        expect_only "$open_dir/closed"
        expect_only "$open_tmp"
        chmod 755 "$open_tmp"
        if [ $as_root = yes ]; then
            mkdir -m 1777 "$open_dir/open"
            as_user "$open_dir/hallmark" release --repo "$open_dir/work.git" --rev main \
                --out "$open_dir/open/r"
            expect_refused 7 "cannot make a scratch directory in '$open_tmp': Permission denied"
            expect_only "$open_dir/open"
        fi
    fi
    chmod -R u+w "$open_dir"
    rm -rf "$open_dir"
fi

t 'stdout that is full or closed is exit 7, and never ends up in a file'
"$HALLMARK" release --repo work --rev main --out "$outs/r" >/dev/full 2>"$err"
code=$?
expect_code 7
expect_err "cannot write the answer to stdout: No space left on device"
rm -rf "$outs/r"
"$HALLMARK" release --repo work --rev main --out "$outs/r" >&- 2>"$err"
code=$?
expect_code 7
expect_err "cannot write the answer to stdout: Bad file descriptor"
hm verify "$outs/r"
expect_code 0
rm -rf "$outs/r"

t 'stdin and stderr that are closed or full change nothing'
"$HALLMARK" release --repo work --rev main --out "$outs/r" >"$out" 2>&- <&-
code=$?
expect_code 0
rm -rf "$outs/r/attestations"
expect_same good "$outs/r"
rm -rf "$outs/r"
"$HALLMARK" release --repo work --rev main --out "$outs/r" >"$out" 2>/dev/full
code=$?
expect_code 0
rm -rf "$outs/r"
"$HALLMARK" release --repo work --rev nowhere --out "$outs/r" >&- 2>&- <&-
code=$?
expect_code 3
expect_clean

finish

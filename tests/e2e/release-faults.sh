#!/usr/bin/env bash
# hallmark release: the Nth call of each kind fails, for every N until the run meets no failure. A
# run either fails with a right code and message and leaves nothing, or makes the whole release.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/scripted.sh"

if [ "$(uname -s)" != Linux ] || [ "$HALLMARK_VARIANT" = asan ]; then
    t 'calls that fail'
    skip 'the library that makes calls fail cannot be preloaded here'
    finish
fi

scripted work
ln -s main.c "$repo/src/link.c"
commit 'a link'
FAULT=$TESTBIN/faults/fault.so
log=$E2E_STATE/fault-log

release() { # DIR
    "$HALLMARK" --quiet release --repo work --rev main --out "$1"
}

# The release, with the Nth call of a kind failing by an error number.
faulty() { # CALL N ERRNO
    rm -rf "$outs/r" "$log"
    e2e_command="$1 call $2 fails with error $3"
    env LD_PRELOAD="$FAULT" FAULT_CALL="$1" FAULT_AT="$2" FAULT_ERRNO="$3" FAULT_LOG="$log" \
        "$HALLMARK" --quiet release --repo work --rev main --out "$outs/r" >"$out" 2>"$err"
    code=$?
}

# Cheap forms of expect_clean and expect_same: this runs some hundred times.
left_nothing() {
    local left=("$TMPDIR"/* "$TMPDIR"/.[!.]* "$outs"/* "$outs"/.[!.]* "$HOME"/.cache/hallmark/.[!.]*)
    [ ${#left[@]} -eq 0 ] && return
    fail "$e2e_command: left behind: ${left[*]}"
    rm -rf "${left[@]}"
}

judge() { # CODES
    case " $1 " in
    *" $code "*)
        # A file, or the id of an object.
        grep -qE "'.*'|^  while reading object [0-9a-f]{40}" "$err" || {
            fail "$e2e_command: the message names nothing"
            e2e_show
        }
        left_nothing
        ;;
    *)
        if [ "$code" != 0 ]; then
            fail "$e2e_command: exit code $code"
            e2e_show
        elif ! diff -r -x attestations good "$outs/r" >/dev/null ||
            [ ! -s "$outs/r/attestations/observed.json" ]; then
            fail "$e2e_command: exit code 0 without the whole release"
        fi
        rm -rf "$outs/r"
        left_nothing
        ;;
    esac
}

shopt -s nullglob
release good || exit 1 # also fills the cache of digests
sleep 2.2               # which takes files that have rested
release good2 || exit 1

# How many calls of a kind a run makes; steps keep one kind below some 60 runs.
every_call() { # CALL ERRNO CODES
    faulty "$1" 0 0
    expect_code 0
    local calls=0 n=1 step
    [ ! -e "$log" ] || calls=$(wc -c <"$log")
    step=$((calls / 60 + 1))
    rm -rf "$outs/r"
    local struck=0
    while [ "$n" -le "$calls" ]; do
        faulty "$1" "$n" "$2"
        [ ! -s "$log" ] || struck=$((struck + 1))
        judge "$3"
        n=$((n + step))
    done
    echo "# $1: $calls calls, $struck runs with a failure"
    [ "$struck" -gt 0 ] || fail "no call of $1 failed"
}

EIO=5 ENOMEM=12 EMFILE=24 ENOSPC=28 EAGAIN=11

t 'creating a file fails'
every_call open-new $ENOSPC 7
t 'writing fails for lack of space'
every_call write $ENOSPC 7
t 'fsync fails'
every_call fsync $EIO 7
t 'rename fails'
every_call rename $EIO 7
t 'making a directory fails'
every_call mkdir $ENOSPC 7
t 'setting a mode fails'
every_call chmod $EIO 7
t 'setting a time fails'
every_call utimes $EIO 7
t 'making a link fails'
every_call symlink $ENOSPC 7
t 'making a process fails'
every_call fork $EAGAIN 7
t 'making a pipe fails'
every_call pipe $EMFILE 7
t 'close fails'
every_call close $EIO 7
t 'opening a file fails'
every_call open $EMFILE '7 3 4'
t 'mapping a file fails'
every_call mmap $ENOMEM '7 3 4 5'
t 'reading fails'
every_call read $EIO '7 3 4 5'

t 'after all that a release is what it was'
hm --quiet audit good --repo work
expect_code 0
expect_clean

finish

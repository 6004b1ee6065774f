#!/usr/bin/env bash
# hallmark: SIGINT and SIGTERM at any moment of a release, an audit and an archive. The process dies
# by that very signal (or had finished), and leaves no release, no litter and no process. What must
# not be waited for sleeps longer than a test program may take.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/scripted.sh"

scripted work
log=$E2E_STATE/fault-log
FAULT=$TESTBIN/faults/fault.so
can_preload=yes
if [ "$(uname -s)" != Linux ] || [ "$HALLMARK_VARIANT" = asan ]; then
    can_preload=no
fi
run "$HALLMARK" --quiet release --repo work --rev main --out good
INT=2 TERM=15

# Like `run`, but the program is the leader of a session, and the status is what a parent reads:
# $code is the exit status, $killed the signal that ended it (0: none).
watched() { # COMMAND...
    e2e_command=$*
    perl -e 'my $r = system { $ARGV[0] } @ARGV; printf STDERR "%d %d\n", $? & 127, $? >> 8;' \
        "$@" >"$out" 2>"$err.all"
    read -r killed code < <(tail -1 "$err.all")
    sed '$d' "$err.all" >"$err"
}

left_nothing() {
    local left=("${TMPDIR:?}"/* "$TMPDIR"/.[!.]* "${outs:?}"/* "${outs:?}"/.[!.]* "$HOME"/.cache/hallmark/.[!.]*)
    local process
    while read -r process; do
        left+=("$process")
    done < <(toolchain_processes)
    [ ${#left[@]} -eq 0 ] && return
    fail "$e2e_command: left behind: ${left[*]}"
    e2e_show
    rm -rf "${TMPDIR:?}"/* "${outs:?}"/* "${outs:?}"/.[!.]*
}
shopt -s nullglob

# Ended by the signal with the reason told, or finished before it could be heeded.
expect_stopped() { # SIGNAL WHAT-IS-GOOD-WHEN-FINISHED...
    local signal=$1
    shift
    if [ "$killed" = "$signal" ]; then
        stopped=$((stopped + 1))
        grep -q '^hallmark: [a-z]*: stopped by ' "$err" || {
            fail "$e2e_command: no message"
            e2e_show
        }
    elif [ "$killed" = 0 ] && [ "$code" = 0 ]; then
        "$@" >/dev/null 2>&1 || fail "$e2e_command: exit code 0, but: $*"
        rm -rf "${outs:?}"/*
    else
        fail "$e2e_command: signal $killed, exit code $code"
        e2e_show
    fi
    left_nothing
}

signalled() { # SIGNAL N AGAIN COMMAND...
    local signal=$1 n=$2 again=$3
    shift 3
    watched env LD_PRELOAD="$FAULT" FAULT_CALL=any FAULT_AT="$n" FAULT_SIGNAL="$signal" \
        FAULT_AGAIN="$again" FAULT_LOG="$log" "$@"
    e2e_command="signal $signal (and $again) at call $n of $*"
}

# Over the whole run, in some 40 places.
everywhere() { # COMMAND...
    rm -f "$log"
    signalled 0 0 0 "$@"
    [ "$killed$code" = 00 ] || fail "$e2e_command: signal $killed, exit code $code"
    rm -rf "${outs:?}"/*
    calls=$(wc -c <"$log")
    step=$((calls / 40 + 1))
    stopped=0
}

release=("$HALLMARK" release --repo work --rev main --out "$outs/r")
audit=("$HALLMARK" audit good --repo work)
archive=("$HALLMARK" archive --repo work --rev main --format tar.gz -o "$outs/a.tar.gz")

t 'a release is stopped by either signal in every stage'
if [ $can_preload = no ]; then
    skip 'the library that raises signals cannot be preloaded here'
else
    everywhere "${release[@]}"
    : >stages
    missing() {
        for stage in resolve pin checkout compile archive publish; do
            grep -q "^$stage$" stages || echo "$stage"
        done
    }
    # Some stages have few calls, which a step may pass over: then all places between those that were
    # tried, the far ones first.
    for ((pass = 0; pass < step; pass++)); do
        n=$((1 + pass * 7 % step)) signal=$INT
        while [ "$n" -le "$calls" ]; do
            signalled $signal "$n" 0 "${release[@]}"
            expect_stopped $signal "$HALLMARK" verify "$outs/r"
            sed -n 's/^  while at stage //p' "$err" >>stages
            n=$((n + step)) signal=$((INT + TERM - signal))
        done
        [ -n "$(missing)" ] || break
    done
    echo "# $calls calls, stopped $stopped times, in: $(sort stages | uniq -c | tr -s ' \n' ' ')"
    [ "$stopped" -gt 25 ] || fail "stopped only $stopped times"
    for stage in $(missing); do
        fail "never stopped at stage $stage"
    done
fi

t 'a second signal changes nothing'
if [ $can_preload = no ]; then
    skip 'the library that raises signals cannot be preloaded here'
else
    n=3
    while [ "$n" -le "$calls" ]; do
        signalled $INT "$n" $TERM "${release[@]}"
        expect_stopped $INT "$HALLMARK" verify "$outs/r"
        n=$((n + 4 * step))
    done
fi

t 'so is an audit'
if [ $can_preload = no ]; then
    skip 'the library that raises signals cannot be preloaded here'
else
    everywhere "${audit[@]}"
    n=1 signal=$TERM
    while [ "$n" -le "$calls" ]; do
        signalled $signal "$n" 0 "${audit[@]}"
        expect_stopped $signal true
        n=$((n + step)) signal=$((INT + TERM - signal))
    done
    echo "# $calls calls, stopped $stopped times"
    [ "$stopped" -gt 25 ] || fail "stopped only $stopped times"
fi

t 'and an archive'
if [ $can_preload = no ]; then
    skip 'the library that raises signals cannot be preloaded here'
else
    everywhere "${archive[@]}"
    git -C work archive --format=tar.gz -o "$PWD/expected.tar.gz" main
    n=1 signal=$TERM
    while [ "$n" -le "$calls" ]; do
        signalled $signal "$n" 0 "${archive[@]}"
        expect_stopped $signal cmp "$outs/a.tar.gz" expected.tar.gz
        n=$((n + step)) signal=$((INT + TERM - signal))
    done
    echo "# $calls calls, stopped $stopped times"
    [ "$stopped" -gt 5 ] || fail "stopped only $stopped times"
fi

# Starts a release in the background and waits until its compiler runs. hallmark is the child of
# this shell, which ignores SIGINT in what it starts: perl gives it back.
start_release() {
    perl -e '$SIG{INT} = "DEFAULT"; exec { $ARGV[0] } @ARGV' "$@" >"$out" 2>"$err" &
    child=$!
    local i=0
    while ! compgen -G "$TMPDIR/hallmark-*/tmp/started" >/dev/null && [ "$i" -lt 200 ]; do
        sleep 0.05
        i=$((i + 1))
    done
    [ "$i" -lt 200 ] || fail 'the compiler never ran'
}

slow='sleeper 1000 & : >../tmp/started; sleep 1001'

t 'while the compiler runs: it ends with hallmark, and with it what it started'
behave scripted-cc "$slow"
for signal in INT TERM HUP; do
    start_release "${release[@]}"
    kill -$signal $child
    wait $child
    code=$?
    e2e_command="release, SIG$signal while compiling"
    expect_code $((128 + $(kill -l $signal)))
    expect_err '^hallmark: release: stopped by '
    expect_err 'while at stage compile'
    expect_clean
done

t 'a compiler that ignores signals does not hold it up'
behave scripted-cc "trap '' INT TERM HUP; $slow"
start_release "${audit[@]}"
kill -TERM $child
wait $child
code=$?
expect_code 143
expect_clean

t 'a whole process group is interrupted, as a terminal does it'
behave scripted-cc "$slow"
start_release perl -e 'setpgrp; exec { $ARGV[0] } @ARGV' "${release[@]}"
kill -INT -$child
wait $child
code=$?
expect_code 130
expect_clean

t 'an ignored signal stays ignored (nohup)'
behave scripted-cc ': >../tmp/started; sleep 0.5; echo object >$out; echo "$out: $source" >$dep'
start_release sh -c 'trap "" HUP; exec "$@"' sh "${release[@]}"
kill -HUP $child
wait $child
code=$?
expect_code 0
expect_clean r
rm -rf "$outs/r"

t 'SIGKILL: no release, its compiler dies, and the next run is not hindered'
behave scripted-cc ': >../tmp/started; exec sleep 1001'
start_release "${release[@]}"
kill -KILL $child
wait $child 2>/dev/null
code=$?
expect_code 137
expect_no_file "$outs/r"
sleep 0.3
if [ "$(uname -s)" = Linux ]; then
    running=$(toolchain_processes)
    [ -z "$running" ] || fail "still running: $running"
fi
behave scripted-cc
run "${release[@]}"
expect_code 0
run "$HALLMARK" verify "$outs/r"
expect_code 0
expect_only "$outs" r "$(cd "$outs" && echo .r.hallmark-*)"
rm -rf "${outs:?}"/* "${outs:?}"/.[!.]* "${TMPDIR:?}"/hallmark-*
expect_clean

t 'SIGKILL at any file operation: a whole release or none'
if [ $can_preload = no ]; then
    skip 'the library that raises signals cannot be preloaded here'
else
    everywhere "${release[@]}"
    n=1 whole=0
    while [ "$n" -le "$calls" ]; do
        signalled 9 "$n" 0 "${release[@]}"
        [ "$killed" = 9 ] || fail "$e2e_command: signal $killed, exit code $code"
        if [ -e "$outs/r" ]; then
            whole=$((whole + 1))
            "$HALLMARK" verify "$outs/r" >/dev/null || fail "$e2e_command: half a release"
        fi
        rm -rf "${outs:?}"/* "${outs:?}"/.[!.]* "${TMPDIR:?}"/hallmark-* "$HOME"/.cache/hallmark/.[!.]*
        n=$((n + step))
    done
    echo "# $calls calls, $whole whole releases"
fi
expect_clean

finish

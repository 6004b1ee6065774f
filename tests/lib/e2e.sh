# shellcheck shell=bash
# The kit of the end-to-end tests: sourced by tests/e2e/*.sh and tests/*/run.sh.
# tests/README.md has the reference and an example. A script ends with `finish`.
#
# A case begins with `t NAME` and ends at the next `t`, or at `finish`. It fails when any of its
# expectations fails; all of them are tried, and each that fails says what it saw.

if [ -z "${SRCDIR:-}" ]; then
    SRCDIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
fi
if [ -z "${E2E_STATE:-}" ]; then # run by hand, without tests/run
    E2E_OWN=$(mktemp -d "${TMPDIR:-/tmp}/hallmark-e2e.XXXXXX") || exit 1
    mkdir "$E2E_OWN/cwd" "$E2E_OWN/tmp" "$E2E_OWN/home" "$E2E_OWN/state"
    export HALLMARK="${HALLMARK:-$SRCDIR/build/hallmark}" TESTBIN="${TESTBIN:-$SRCDIR/build/tests}"
    export HOME="$E2E_OWN/home" TMPDIR="$E2E_OWN/tmp" HALLMARK_DATA="$SRCDIR"
    E2E_STATE=$E2E_OWN/state
    unset LC_ALL
    cd "$E2E_OWN/cwd" || exit 1
fi
HALLMARK_VARIANT=${HALLMARK_VARIANT:-plain}

# No script may reach the repository that it lies in, wherever it is run: git looks no further up
# than the script's own directory, and the script does not go on in any other.
case $PWD/ in
"$SRCDIR"/*)
    echo "not ok - this script must be run in a directory outside of $SRCDIR"
    exit 1
    ;;
esac
GIT_CEILING_DIRECTORIES=$(pwd -P):$SRCDIR
export GIT_CEILING_DIRECTORIES

# Nothing of the user's git configuration, a fixed identity, and dates that only `commit` moves.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
export GIT_AUTHOR_NAME='A U Thor' GIT_AUTHOR_EMAIL=author@example.com
export GIT_COMMITTER_NAME='C O Mitter' GIT_COMMITTER_EMAIL=committer@example.com
e2e_clock=1700000000
export GIT_AUTHOR_DATE="$e2e_clock +0000" GIT_COMMITTER_DATE="$e2e_clock +0000"

out=$E2E_STATE/out # what the last `run` wrote to stdout
err=$E2E_STATE/err # and to stderr
code=              # and its exit status
# The last repository that mkrepo made (absolute).
repo=
export repo
: >"$out"
: >"$err"

e2e_case='' e2e_failures=0 e2e_skipped='' e2e_bad=0 e2e_finished=no e2e_count=0 e2e_command=''

# ---- cases ------------------------------------------------------------------------------------

t() { # NAME: begins a case
    e2e_close
    e2e_case=$1 e2e_failures=0 e2e_skipped='' code='' e2e_command=''
    : >"$out"
    : >"$err"
}

e2e_close() {
    if [ -z "$e2e_case" ]; then
        [ "$e2e_failures" -gt 0 ] || return 0
        e2e_case='(outside a case)'
    fi
    e2e_count=$((e2e_count + 1))
    if [ "$e2e_failures" -gt 0 ]; then
        echo "not ok - $e2e_case"
        e2e_bad=$((e2e_bad + 1))
    elif [ -n "$e2e_skipped" ]; then
        echo "skip - $e2e_case: $e2e_skipped"
    else
        echo "ok - $e2e_case"
    fi
    e2e_case='' e2e_failures=0
}

fail() { # MESSAGE: the case has failed; it goes on
    e2e_failures=$((e2e_failures + 1))
    echo "# $e2e_case: $*"
}

skip() { # REASON: the case cannot be tried here
    e2e_skipped=$1
}

needs() { # NAME TOOL...: skips the whole script, as the case NAME, where a tool is not installed
    local name=$1 tool
    shift
    for tool; do
        command -v "$tool" >/dev/null && continue
        t "$name"
        skip "$tool is not installed"
        finish
    done
}

finish() { # the last line of every script
    e2e_close
    e2e_finished=yes
    [ "$e2e_count" -gt 0 ] && [ "$e2e_bad" -eq 0 ]
    exit $?
}

e2e_exit() {
    local rc=$?
    if [ "$e2e_finished" != yes ]; then
        fail "the script ended (status $rc) before 'finish'"
        e2e_close
        rc=1
    fi
    if [ -n "${E2E_OWN:-}" ]; then
        cd / || true
        chmod -R u+rwX "$E2E_OWN" 2>/dev/null
        rm -rf "$E2E_OWN"
    fi
    exit "$rc"
}
trap e2e_exit EXIT

# ---- running ----------------------------------------------------------------------------------

run() { # COMMAND...: into $out, $err and $code
    e2e_command=$*
    "$@" >"$out" 2>"$err"
    code=$?
    if [ "$code" -eq 99 ] && [ "$HALLMARK_VARIANT" = asan ]; then
        fail "a sanitizer ended the command"
        e2e_show
    fi
    return 0
}

hm() { # ARGUMENT...: runs hallmark
    run "$HALLMARK" "$@"
}

# What the last command was and said, shown below a failed expectation.
e2e_show() {
    echo "#   command: $e2e_command"
    echo "#   exit code: $code"
    sed -n '1,40s/^/#   stdout: /p' "$out" | cat -v
    sed -n '1,40s/^/#   stderr: /p' "$err" | cat -v
}

# ---- expectations -----------------------------------------------------------------------------

expect_code() { # N
    [ "$code" = "$1" ] && return 0
    fail "exit code: expected $1, got ${code:-none (nothing was run)}"
    e2e_show
}

expect_out() { # REGEX (extended), on one line of stdout
    grep -qE -e "$1" "$out" && return 0
    fail "no line of stdout matches: $1"
    e2e_show
}

expect_err() { # REGEX (extended), on one line of stderr
    grep -qE -e "$1" "$err" && return 0
    fail "no line of stderr matches: $1"
    e2e_show
}

expect_no_out() { # REGEX
    grep -qE -e "$1" "$out" || return 0
    fail "a line of stdout matches: $1"
    e2e_show
}

expect_no_err() { # REGEX
    grep -qE -e "$1" "$err" || return 0
    fail "a line of stderr matches: $1"
    e2e_show
}

expect_out_has() { # FIXED STRING
    grep -qF -e "$1" "$out" && return 0
    fail "stdout does not contain: $1"
    e2e_show
}

expect_err_has() { # FIXED STRING
    grep -qF -e "$1" "$err" && return 0
    fail "stderr does not contain: $1"
    e2e_show
}

expect_out_empty() {
    [ ! -s "$out" ] && return 0
    fail "stdout is not empty"
    e2e_show
}

expect_err_empty() {
    [ ! -s "$err" ] && return 0
    fail "stderr is not empty"
    e2e_show
}

expect_out_is() { # FILE: stdout equals it; - reads the expected text from standard input
    local expected=$1
    if [ "$expected" = - ]; then
        expected=$E2E_STATE/expected
        cat >"$expected"
    fi
    cmp -s "$expected" "$out" && return 0
    fail "stdout is not what was expected (-) but (+):"
    diff -u "$expected" "$out" | sed -n '3,60s/^/#   /p' | cat -v
    e2e_show
}

expect_same() { # A B: two files, or two directories with all that is in them
    if [ ! -e "$1" ] || [ ! -e "$2" ]; then
        fail "to be compared, but not both there: $1, $2"
    elif [ -d "$1" ]; then
        diff -r --no-dereference "$1" "$2" >"$E2E_STATE/diff" 2>&1 && return 0
        fail "the directories differ: $1, $2"
        sed -n '1,40s/^/#   /p' "$E2E_STATE/diff" | cat -v
    else
        cmp "$1" "$2" >"$E2E_STATE/diff" 2>&1 && return 0
        fail "the files differ: $(head -1 "$E2E_STATE/diff")"
    fi
}

expect_file() { # PATH: a file that is not empty
    [ -f "$1" ] && [ -s "$1" ] && return 0
    fail "not there, or empty: $1"
    [ -z "$e2e_command" ] || e2e_show
}

expect_no_file() { # PATH: nothing of that name, not even a dangling link
    [ ! -e "$1" ] && [ ! -L "$1" ] && return 0
    fail "is there, but should not be: $1"
}

expect_only() { # DIR NAME...: the directory holds exactly these, hidden ones too
    local dir=$1
    shift
    local expected actual
    expected=$([ $# -eq 0 ] || printf '%s\n' "$@" | LC_ALL=C sort)
    actual=$(cd "$dir" && find . -mindepth 1 -maxdepth 1 | sed 's,^\./,,' | LC_ALL=C sort)
    [ "$expected" = "$actual" ] && return 0
    fail "$dir should hold (-) but holds (+):"
    diff -u <(echo "$expected") <(echo "$actual") | sed -n '3,40s/^/#   /p'
}

expect() { # COMMAND...: it succeeds
    "$@" >"$E2E_STATE/expect" 2>&1 && return 0
    fail "failed: $*"
    sed -n '1,40s/^/#   /p' "$E2E_STATE/expect" | cat -v
}

expect_not() { # COMMAND...: it fails, by a status below 126
    local rc=0
    "$@" >"$E2E_STATE/expect" 2>&1 || rc=$?
    [ "$rc" -ne 0 ] && [ "$rc" -lt 126 ] && return 0
    fail "should have failed (status $rc): $*"
    sed -n '1,40s/^/#   /p' "$E2E_STATE/expect" | cat -v
}

# ---- repositories -----------------------------------------------------------------------------

mkrepo() { # DIR: a new repository, empty, with branch main; sets $repo
    git -c init.defaultBranch=main init -q "$1" || return 1
    repo=$(cd "$1" && pwd -P)
    git -C "$repo" config core.autocrlf false
    git -C "$repo" config commit.gpgsign false
    git -C "$repo" config gc.auto 0
}

commit() { # MESSAGE [DIR]: all that is in DIR (default: $repo), a minute after the last one
    e2e_clock=$((e2e_clock + 60))
    export GIT_AUTHOR_DATE="$e2e_clock +0000" GIT_COMMITTER_DATE="$e2e_clock +0000"
    git -C "${2:-$repo}" add -A && git -C "${2:-$repo}" commit -q --allow-empty -m "$1"
}

rev() { # [REVISION]: its full id in $repo
    git -C "$repo" rev-parse --verify --quiet "${1:-HEAD}"
}

with_toolchain() { # DIR: the project's toolchain/ is in DIR too
    cp -R "$SRCDIR/toolchain" "$1/"
}

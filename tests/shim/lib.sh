# shellcheck shell=bash
# Sourced by the tests here: results as `ok - name`, `not ok - name: reason`, `skip - name: reason`.
failures=0

ok() {
    printf 'ok - %s\n' "$1"
}

not_ok() {
    printf 'not ok - %s: %s\n' "$1" "$(printf '%s' "$2" | tr '\n' '|')"
    failures=$((failures + 1))
}

skip() {
    printf 'skip - %s: %s\n' "$1" "$2"
}

# same NAME EXPECTED ACTUAL
same() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        not_ok "$1" "expected '$2', got '$3'"
    fi
}

# The last line of a test.
finish() {
    exit $((failures > 0))
}

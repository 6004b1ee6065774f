#!/usr/bin/env bash
# hallmark: help, wrong usage, global options, exit codes and JSON of every command.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

commands='release audit verify inspect sign strip-signature archive sums pin'

t 'help of the program'
for ask in --help -h; do
    hm $ask
    expect_code 0
    expect_err_empty
    for command in $commands; do
        expect_out "^  $command +[a-z]"
    done
done
hm --version
expect_code 0
expect_out '^hallmark [0-9]+\.[0-9]+\.[0-9]+$'

t 'help of each command mentions each of its options'
for command in $commands; do
    for ask in --help -h; do
        hm $command $ask
        expect_code 0
        expect_err_empty
        expect_out "^usage: hallmark $command"
    done
    # What the usage line names is explained, and the other way round.
    head -1 "$out" | sed "s/^usage: hallmark $command//" | grep -oE -e '--?[a-z0-9_-]+' | sort -u >named
    while read -r option; do
        expect_out "^ .*$option([ ,]|$)"
    done <named
    ! head -1 "$out" | grep -qF '[OPTION...]' || continue
    sed -nE 's/^  (-[a-z],|   ) (--[a-z0-9-]+) .*/\1 \2/p' "$out" | tr -d , >told
    while read -r names; do
        grep -qxF -e "${names/ /$'\n'}" named || fail "the usage line of $command lacks $names"
    done <told
done
hm release --help
for option in rev out recipe recipe-file toolchain repo time-limit keep; do
    expect_out "^      --$option "
done

t 'wrong usage is exit 2, with a hint'
while read -r arguments; do
    # shellcheck disable=SC2086
    hm $arguments
    expect_code 2
    expect_out_empty
    expect_err '^hallmark: '
    expect_err "^  hint: 'hallmark (.* )?--help'"
done <<'USAGE'

nowhere
--nowhere
-x
release --nowhere
release
release --rev main
release --rev
release --rev main --out
release --rev main --out x more
release --rev main --out x --keep=yes
release --rev main --out x --time-limit 0
release --rev main --out x --time-limit -1
release --rev main --out x --time-limit 1x
release --rev main --out x --time-limit 99999999999999999999
release --rev main --out x --time-limit 86401
audit
audit a b --repo c
audit a
audit a --repo b --time-limit 0
verify
inspect
sign
strip-signature
sums
sums write
sums read x
sums write a b
pin
pin show
pin look x
archive
USAGE
hm -C
expect_code 2
hm --color=blue sums check .
expect_code 2
hm -C nowhere sums check .
expect_code 7
expect_err "cannot change to directory 'nowhere'"

third_party stranger
t '-C, and options as --name=VALUE, before and behind arguments'
hm -C stranger --quiet release --rev main --recipe-file ../stranger.yaml --out ../good
expect_code 0
hm -C good sums check .
expect_code 0
hm audit --repo=stranger --quiet -- good
expect_code 0
hm -C stranger -C .. audit good --repo stranger --quiet --color=never
expect_code 0
expect_err_empty

cp -R good bad && echo x >>bad/Stranger.dylib
json() { # CODE ARGUMENT...: one document, nothing else
    hm --json "${@:2}"
    expect_code "$1"
    cp "$out" answer
    [ "$(jq -s length answer 2>/dev/null)" = 1 ] || {
        fail "not one JSON document: hallmark --json ${*:2}"
        e2e_show
    }
}
t 'JSON is one document, also when there are findings'
json 0 release --repo stranger --rev main --recipe-file stranger.yaml --out json
json 0 audit good --repo stranger
json 1 audit bad --repo stranger
json 0 verify good good/Stranger.dylib
json 1 verify bad good
json 3 verify good nowhere
json 0 sums check good
json 1 sums check bad
json 0 inspect good/Stranger.dylib
json 0 sign good/Stranger.dylib -o signed
json 0 archive --repo stranger --rev main -o a.tar
json 0 pin show llvm-19
mkdir fresh && echo x >fresh/x
json 0 sums write fresh

t 'an answer that cannot be written is exit 7, for every command'
rm -rf fresh/SHA256SUMS signed a.tar json
full() {
    "$HALLMARK" "$@" >/dev/full 2>"$err"
    code=$?
    e2e_command="hallmark $* >/dev/full"
    expect_code 7
    expect_err 'No space left on device'
}
full --help
full --version
full release --help
full release --repo stranger --rev main --recipe-file stranger.yaml --out json
full audit good --repo stranger
full audit bad --repo stranger
full verify good
full verify bad
full inspect good/Stranger.dylib
full --json sign good/Stranger.dylib -o signed
full archive --repo stranger --rev main
full --json archive --repo stranger --rev main -o a.tar
full sums check good
full sums write fresh
full pin show llvm-19

t 'colours: when asked for, and for a terminal that can show them'
mkdir -p colours
esc=$(printf '\033')
hm --color=always sums check colours
expect_out_has "${esc}[1;31mfinding${esc}[0m sums.missing"
expect_out_has "${esc}[1;31mbad${esc}[0m: 1 finding"
for choice in auto never; do
    hm --color="$choice" sums check colours
    expect_no_out "$esc"
done

t 'colours on a terminal'
# script(1) now and then ends before it has passed on what a quick program wrote: it is asked again.
on_terminal() { # TEXT [VARIABLE=VALUE]
    local text=$1 i
    shift
    for i in 1 2 3 4 5; do
        run env TERM=xterm "$@" script -qec "$HALLMARK sums check colours" typescript
        grep -qF -e "$text" "$out" && return 0
    done
    fail "a terminal does not show, in $i tries: $text"
    e2e_show
}
if ! command -v script >"$out"; then
    skip 'no script(1) here, which makes a terminal'
elif ! script -qec true typescript >"$out" 2>&1; then
    skip "no terminal can be made here: $(head -1 "$out")"
else
    on_terminal "${esc}[1;31mbad${esc}[0m: 1 finding"
    on_terminal 'bad: 1 finding' NO_COLOR=1
fi

finish

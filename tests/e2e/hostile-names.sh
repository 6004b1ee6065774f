#!/usr/bin/env bash
# A name that comes from input reaches no terminal as it is, and makes no line of its own: neither
# an escape sequence nor a forged verdict.
. "$SRCDIR/tests/lib/e2e.sh"
. "$SRCDIR/tests/lib/release.sh"

escape=$'\033'
evil="x${escape}[31m"$'\ngood: all is well \302\233m'

expect_clean() {
    for stream in "$out" "$err"; do
        if LC_ALL=C grep -q "$escape" "$stream" || LC_ALL=C grep -q $'\302\233' "$stream" ||
            grep -q '^good: all is well' "$stream"; then
            fail 'a name was printed as it is'
            e2e_show
        fi
    done
}

third_party stranger

t 'a file of a release directory'
hm --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out good
expect_code 0
cp -R good bad
echo more >"bad/$evil"
hm audit bad --repo stranger
expect_code 1
expect_clean
expect_out_has 'unexpected  x\x1b[31m\x0agood: all is well \xc2\x9bm'
hm verify bad
expect_code 1
expect_clean
expect_out_has 'finding sums.unlisted: x\x1b[31m\x0agood: all is well \xc2\x9bm'
hm sums check bad
expect_code 1
expect_clean

t 'the directory itself'
mkdir "$evil"
echo one >"$evil/file"
hm sums write "$evil"
expect_code 0
expect_clean
hm sums check "$evil"
expect_code 0
expect_clean
expect_out_has 'x\x1b[31m\x0agood: all is well'
cp -R good "bad/$evil.d"
for command in verify 'audit --repo stranger'; do
    # shellcheck disable=SC2086
    hm $command "bad/$evil.d"
    expect_code 0
    expect_clean
done

t 'a Mach-O file'
cp good/Stranger.dylib "$evil.dylib"
for command in verify inspect 'sign --identifier plain'; do
    # shellcheck disable=SC2086
    hm $command "$evil.dylib"
    expect_code 0
    expect_clean
done

t 'letters beyond ASCII stay as they are'
mkdir Größe
cp good/Stranger.dylib Größe/ñ.dylib
hm verify Größe/ñ.dylib
expect_code 0
expect_out_has 'good: Größe/ñ.dylib'

finish

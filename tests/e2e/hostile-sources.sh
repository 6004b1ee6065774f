#!/usr/bin/env bash
# hallmark release: a source that reaches for the machine it is compiled on, or for all of it.
. "$SRCDIR/tests/lib/e2e.sh"
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
recipe | sed 's,src/shim.m,src/hostile.c,' >hostile.yaml

# Commits stdin as the source and tries to release it.
try() {
    cat >stranger/src/hostile.c
    commit 'hostile' stranger
    hm --quiet release --repo stranger --rev main --recipe-file hostile.yaml --out out
    expect_no_file out
}

confined() {
    rm -rf probe
    hm --quiet release --repo stranger --rev main --recipe-file stranger.yaml --out probe
    expect_code 0
    [ "$(jq .confined probe/attestations/observed.json)" = true ] && return 0
    skip 'the kernel cannot confine a compiler'
    return 1
}

t 'the root of the tree is a folder for headers like any other'
sed 's/-O2/-I., -O2/' stranger.yaml >root.yaml
hm --quiet release --repo stranger --rev main --recipe-file root.yaml --out root
expect_code 0
hm --quiet audit root --repo stranger
expect_code 0

t 'a file that lies beside the libraries of the compiler is not the compiler'
if confined; then
    for file in /usr/lib/os-release /etc/passwd /dev/urandom /proc/self/environ; do
        try <<END
__asm__(".section __DATA,__x\n.incbin \"$file\"\n");
int version(void) { return 1; }
END
        expect_code 5
        expect_err_has "Could not find incbin file '$file'"
    done
fi

t 'a file of the machine is neither looked for, nor included, nor embedded'
for line in '#if __has_include("/etc/passwd")' '#if __has_embed("/etc/passwd")' \
    '#if __has_include("/dev/urandom")'; do
    try <<END
$line
int version(void) { return 2; }
#else
int version(void) { return 1; }
#endif
END
    grep -qE "which is neither in the revision|Permission denied" "$err" || fail "released: $line"
    case $code in 3 | 5) ;; *) fail "exit code $code for: $line" ;; esac
done

t 'an object of absurd size'
try <<'END'
char large[3u << 30] = {1};
END
expect_code 5
expect_err_has "'clang' was killed by signal"

t 'a source that includes itself'
try <<'END'
#include "hostile.c"
END
expect_code 5
expect_err_has 'nested too deeply'

finish

#!/usr/bin/env bash
# hallmark pin: what a pin asks for, and what this machine has.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

ZEROS=sha256:0000000000000000000000000000000000000000000000000000000000000000

pin() { # NAME: a pin of scripts, in the current directory
    mkdir -p toolchain/sdk
    echo '{"Version": "14.0"}' >toolchain/sdk/SDKSettings.json
    cat >"toolchain/$1.yaml" <<END
name: $1
family: llvm
compiler: {program: fakecc, version: "7.1.2"}
linker: {program: fakeld, version: "7.1.2"}
sdk: {path: toolchain/sdk, version: "14.0"}
END
}

program() { # NAME, the script on standard input
    mkdir -p bin
    { echo '#!/bin/sh'; cat; } >"bin/$1"
    chmod 755 "bin/$1"
}

good_programs() {
    mkdir -p bin/res
    program fakecc <<END
echo run >>"$PWD/asked"
case \$1 in
--version) echo 'Some clang version 7.1.2' ;;
*) echo "$PWD/bin/res" ;;
esac
END
    program fakeld <<END
echo run >>"$PWD/asked"
echo 'Some LLD 7.1.2 (compatible)'
END
}

SYSTEM_PATH=$PATH
with_path() { # only these scripts and the system's own programs
    PATH=$PWD/bin:/usr/bin:/bin
}

t 'show prints every field'
pin fake
hm pin show fake
expect_code 0
expect_err_empty
expect_out_is - <<'END'
toolchain fake (toolchain/fake.yaml)
  family    llvm
  compiler  fakecc 7.1.2
  linker    fakeld 7.1.2
  sdk       toolchain/sdk 14.0
  build     any of these versions
END

t 'show names the builds that are known, as JSON too'
printf 'builds:\n- {id: one, compiler: %s, linker: %s}\n' $ZEROS $ZEROS >>toolchain/fake.yaml
hm pin show fake
expect_code 0
expect_out '^  build     one$'
expect_out "^    compiler $ZEROS\$"
hm --json pin show fake
expect_code 0
expect_out '"name": "fake"'
expect_out '"id": "one"'
if command -v jq >/dev/null; then
    [ "$(jq -r '.builds[0].linker + " " + .sdk.version' <"$out")" = "$ZEROS 14.0" ] ||
        fail 'the JSON does not have linker and SDK'
fi

t 'a directory without toolchain/ uses the installed pins'
mkdir elsewhere
hm -C elsewhere pin show llvm-19
expect_code 0
expect_out_has "toolchain llvm-19 ($HALLMARK_DATA/toolchain/llvm-19.yaml)"
expect_out_has 'compiler  clang 19.1.7'

t '-C looks in that directory'
mkdir other
(cd other && pin fake)
hm -C other pin show fake
expect_code 0
expect_out_has 'build     any of these versions'

t 'wrong usage'
hm pin
expect_code 2
expect_err_has "hallmark: pin: expected 'show', 'check' or 'write' and the name of a toolchain"
hm pin look fake
expect_code 2
expect_err_has "'look' is neither 'show' nor 'check' nor 'write'"
hm pin show fake more
expect_code 2
hm pin --unknown show fake
expect_code 2

t 'a pin that is not there'
hm pin show nothing
expect_code 3
expect_err_has "there is no toolchain 'nothing': neither 'toolchain/nothing.yaml' nor"
expect_err 'hint: '
expect_out_empty

t 'a name that leaves the directory'
hm pin show ../toolchain/fake
expect_code 3
expect_err_has "toolchain name '../toolchain/fake' begins with a dot"

t 'a pin with a mistake names file, line and column'
sed 's/family/famly/' toolchain/fake.yaml >toolchain/bad.yaml
hm pin show bad
expect_code 3
expect_err_has "unknown key 'famly' in 'toolchain/bad.yaml' line 2 column 1"
expect_err_has 'hint: known keys here: name, family, developer_dir, package, compiler, linker, sdk, builds'

t 'a pin that calls itself otherwise'
cp toolchain/fake.yaml toolchain/renamed.yaml
hm pin show renamed
expect_code 3
expect_err_has "toolchain 'renamed' calls itself 'fake' in 'toolchain/renamed.yaml' line 1"

t 'check accepts what matches'
pin fake
good_programs
with_path
hm pin check fake
expect_code 0
expect_err_empty
expect_out '^  ok   compiler +fakecc +/.*/bin/fakecc$'
expect_out '^  ok   compiler version +7.1.2 +7.1.2$'
expect_out '^  ok   linker version +7.1.2 +7.1.2$'
expect_out '^  ok   build +any +one that is not listed \(compiler sha256:[0-9a-f]{64}, linker sha256:'
expect_out '^  ok   sdk version +14.0 +14.0$'

t 'check asks again each time'
rm -f asked
hm pin check fake
hm pin check fake
[ "$(wc -l <asked)" -eq 6 ] || fail "the programs were asked $(wc -l <asked) times, expected 6"

t 'check reports each field that differs'
program fakecc <<END
case \$1 in
--version) echo 'clang version 7.1.3' ;;
*) echo "$PWD/bin/res" ;;
esac
END
rm bin/fakeld
hm pin check fake
expect_code 4
expect_out '^  ok   compiler  '
expect_out '^  BAD  compiler version +7.1.2 +7.1.3$'
expect_out '^  BAD  linker +fakeld +not found$'
expect_out '^  BAD  linker version +7.1.2 +not found$'
expect_err "toolchain 'fake' does not match this machine: compiler 'fakecc': expected version 7.1.2, found version 7.1.3 \\('/.*/bin/fakecc'\\); linker 'fakeld': expected version 7.1.2, found none on this machine"
expect_err 'hint: .*7'
hm --json pin check fake
expect_code 4
expect_out '"matches": false'
expect_out '"found": "7.1.3"'

t 'a program that is killed, or fails'
good_programs
program fakeld <<'END'
kill -SEGV $$
END
hm pin check fake
expect_code 4
expect_err "found '/.*/bin/fakeld' that cannot be used \\('fakeld' was killed by signal 11"
program fakeld <<'END'
exit 9
END
hm pin check fake
expect_code 4
expect_err "\\('fakeld' exited with status 9\\)"

t 'a program that hangs is given up'
good_programs
program fakecc <<'END'
exec sleep 1000
END
hm pin check fake
expect_code 4
expect_err "\\('fakecc' ran longer than 10 s and was killed\\)"

t 'an unlisted build is refused, and listing it is enough'
good_programs
hm --json pin check fake
cc=$(sed -n 's/^  "compiler_digest": "\(.*\)",$/\1/p' "$out")
ld=$(sed -n 's/^  "linker_digest": "\(.*\)",$/\1/p' "$out")
printf 'builds:\n- {id: one, compiler: %s, linker: %s}\n' "$cc" $ZEROS >>toolchain/fake.yaml
hm pin check fake
expect_code 4
expect_out '^  BAD  build +one +one that is not listed'
expect_err_has "toolchain 'fake' does not list this machine's build: expected one (compiler $cc, linker $ZEROS); found compiler $cc, linker $ld"
expect_err_has 'hint: audit accepts every build'
printf -- '- {id: two, compiler: %s, linker: %s}\n' "$cc" "$ld" >>toolchain/fake.yaml
hm pin check fake
expect_code 0
expect_out '^  ok   build +one, two +two$'

t 'the SDK must have the version that is pinned'
echo '{"Version": "15.0"}' >toolchain/sdk/SDKSettings.json
hm pin check fake
expect_code 4
expect_out '^  BAD  sdk version +14.0 +15.0$'
expect_err_has "SDK 'toolchain/sdk' of toolchain 'fake' does not match: sdk version: expected 14.0, found 15.0"
rm toolchain/sdk/SDKSettings.json
hm pin check fake
expect_code 4
expect_err_has 'found none'

t 'a full output is an error'
if [ -w /dev/full ]; then
    run sh -c '"$HALLMARK" pin show fake >/dev/full'
    expect_code 7
else
    skip 'no /dev/full'
fi

t "the project's own pin holds on this machine"
PATH=$SYSTEM_PATH
if [ -x /usr/lib/llvm-19/bin/clang ] || command -v clang-19 >/dev/null; then
    hm -C elsewhere pin check llvm-19
    expect_code 0
    expect_out '^  ok   build .* debian-12-(amd64|arm64)$'
else
    skip 'the pinned compiler is not installed'
fi

finish

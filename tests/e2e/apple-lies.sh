#!/usr/bin/env bash
# A developer directory that is not what the pin says, or whose programs judge otherwise: each lie
# has its exit code and its message, and nothing is released.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/apple.sh"

apple_needs_trials
standin
apple_project small

release() { # LIE...
    standin "$@"
    hm --quiet release --repo small --rev main --out out
}

# refused CODE TEXT: a failure
refused() {
    expect_code "$1"
    expect_err_has "$2"
    expect_out_empty
    expect_no_file out
    expect_only "$TMPDIR"
}

# found ID PLACE EXPECTED ACTUAL: a finding that shows both sides
found() {
    expect_code 1
    expect_out_has "finding $1: $2"
    expect_out "^  expected: $3"
    expect_out "^  actual: +$4"
    expect_out '^not released: [0-9]+ findings?$'
    expect_no_file out
    expect_only "$TMPDIR"
}

t 'the wrong package'
release wrong-package
refused 4 "package version: expected 26.4.0.0.1774242506, found 26.3.0.0.1.1770000000"

t 'no receipt'
release no-receipt
refused 4 "package: expected com.apple.pkg.CLTools_Executables"

t 'clang of another build'
release other-clang
refused 4 'compiler build: expected clang-2100.0.123.102, found clang-2100.0.150.7'

t 'another linker'
release other-ld
refused 4 'linker version: expected 1266.8, found 1300.1'

t 'an SDK of another version'
release other-sdk
refused 4 'sdk version: expected 26.4, found 26.5'

t 'an SDK with other settings, and one with another header'
release sdk-settings
refused 4 'sdk settings: expected sha256:'
release sdk-contents
refused 4 'sdk contents: expected sha256:'

t 'an SDK that was moved'
release sdk-moved
refused 4 "sdk: expected macosx"
expect_err_has 'outside of'

t 'xcrun points elsewhere'
release xcrun-elsewhere
refused 4 "compiler: expected clang"
expect_err_has 'outside of'

t 'codesign is missing'
release codesign-missing
refused 4 'codesign: expected codesign'

t 'clang is another one after it was asked'
release clang-drifts
refused 4 "toolchain 'standin' changed while it was used: compiler build was clang-2100.0.123.102, and is clang-2100.0.150.7"
expect_err '^  while at stage compile$'

t 'ld writes another version than it says'
release ld-drifts
found build.linker 'Small-arm64.dylib: LC_BUILD_VERSION' 'ld 1266.8' 'ld 1300\.1$'
expect_out_has 'finding build.linker: Small-arm64e.dylib: LC_BUILD_VERSION'

t 'codesign rejects what hallmark accepts'
release codesign-rejects
found witness.codesign Small-arm64.dylib 'hallmark: it is what the recipe asks for, and holds' \
    'codesign: Small-arm64.dylib: invalid signature \(code or signature have been modified\)$'
expect_out_has 'finding witness.codesign: Small-arm64e.dylib'
expect_out_has 'finding witness.codesign: Small.dylib'
expect_no_out 'witness.codesign-bytes|witness.lipo'

t 'codesign signs otherwise'
release codesign-signs-otherwise
found witness.codesign-bytes Small-arm64.dylib 'codesign: SHA-256 [0-9a-f]*' \
    'hallmark: [0-9]+ bytes differ, the first at offset [0-9]+ \(.*\)'
expect_no_out 'finding witness\.(codesign|lipo):'

t 'lipo sees another architecture'
release lipo-disagrees
found witness.lipo Small-arm64.dylib 'hallmark: it is what the recipe asks for, and holds' \
    'lipo: exit status 1, without a word$'
expect_out_has 'finding witness.lipo: Small.dylib'
expect_no_out 'witness.codesign'

# Neither is part of what a pin's digests cover.
t 'a witness that cannot be asked has not agreed'
behave() { # PROGRAM SHELL-COMMANDS
    standin
    rm "$apple/usr/bin/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$apple/usr/bin/$1"
    chmod 755 "$apple/usr/bin/$1"
    hm --quiet release --repo small --rev main --out out --time-limit 20
}
behave codesign 'echo "codesign: unrecognized option" >&2; exit 2'
refused 5 "'codesign' exited with status 2"
expect_err '^codesign: unrecognized option$'
expect_err "^  while letting codesign sign 'Small-arm64.dylib'$"
behave codesign 'kill -SEGV $$'
refused 5 "'codesign' was killed by"
behave codesign 'for file; do :; done; rm "$file"'
refused 5 'No such file or directory'
expect_err "^  while reading what codesign made of 'Small-arm64.dylib'$"
behave lipo 'exit 72'
refused 5 "'lipo' exited with status 72"
expect_err "^  while asking the second witnesses of 'Small-arm64.dylib'$"

t 'a codesign that cannot sign what hallmark signs'
behave codesign 'echo "$8: main executable failed strict validation" >&2; exit 1'
found witness.codesign-bytes Small-arm64.dylib 'hallmark: it can be signed$' \
    'codesign: Small-arm64.dylib: main executable failed strict validation$'

t 'a codesign that does nothing'
behave codesign 'exit 0'
found witness.codesign-bytes Small-arm64.dylib 'codesign: SHA-256 [0-9a-f]{64}$' 'hallmark: .*'

t 'a path from which nothing may be started'
standin
HALLMARK_DEVELOPER_DIRS=/nowhere hm --quiet release --repo small --rev main --out out
refused 4 'from which nothing may be started'

# A link can be made to lead elsewhere once it was judged.
t 'a pin may name a link to an allowed place; what is started gets the place itself'
standin
ln -s "$apple" link
cp small/toolchain/standin.yaml pin.yaml
sed "s,^developer_dir: .*,developer_dir: \"$PWD/link\"," pin.yaml >small/toolchain/standin.yaml
commit 'small: by a link' small
mkdir "$apple/usr/true"
for name in xcrun codesign; do
    mv "$apple/usr/bin/$name" "$apple/usr/true/"
    cat >"$apple/usr/bin/$name" <<END
#!/usr/bin/env bash
[ "\$DEVELOPER_DIR" = '$apple' ] || { echo "$name was led to \$DEVELOPER_DIR" >&2; exit 2; }
exec -a '$apple/usr/bin/$name' '$apple/usr/true/$name' "\$@"
END
    chmod 755 "$apple/usr/bin/$name"
done
hm --quiet release --repo small --rev main --out by-link
expect_code 0
cp pin.yaml small/toolchain/standin.yaml
commit 'small: by its place' small

t 'an honest one makes the release, in a path with blanks'
release
expect_code 0
expect_file out/Small.dylib

t 'an audit where the toolchain lies fails as a release does'
audit_lies() { # LIE CODE
    standin "$1"
    hm --quiet audit out --repo small
    expect_code "$2"
}
audit_lies codesign-rejects 1
expect_out_has 'finding witness.codesign: Small-arm64.dylib'
audit_lies clang-drifts 4
expect_err_has 'changed while it was used'

finish

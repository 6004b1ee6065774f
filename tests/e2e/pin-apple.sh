#!/usr/bin/env bash
# hallmark pin check, family apple: everything that a pin names is looked for in its developer
# directory and nowhere else, and each thing that is not as pinned is told. The directory is a
# stand-in that can lie (tests/standin/make).
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

dir="$PWD/Developer Tools/CommandLineTools" # blanks on purpose
export HALLMARK_DEVELOPER_DIRS="$PWD/Developer Tools"

standin() { # LIE...
    "$SRCDIR/tests/standin/make" "$dir" "$@" || fail 'no stand-in can be made'
}

# The lie is found: each REGEX is a line of the table or of the message; every other field is good.
found() { # BAD-FIELDS MESSAGE
    expect_code 4
    expect_err "toolchain 'clt' does not match this machine: $2"
    expect_err "^  hint: install Command Line Tools for Xcode 26.4 in '$dir'"
    [ "$(grep '^  BAD' "$out" | cut -c 8-23 | sed 's/ *$//' | tr '\n' ,)" = "$1" ] ||
        fail "fields that are bad, expected: $1; got: $(grep '^  BAD' "$out")"
}

standin
mkdir -p repo/toolchain
"$SRCDIR/tests/standin/pin" "$dir" clt >repo/toolchain/clt.yaml

t 'show prints every field'
hm -C repo pin show clt
expect_code 0
expect_out_has "  directory $dir"
expect_out_has '  package   com.apple.pkg.CLTools_Executables 26.4.0.0.1774242506'
expect_out_has '  compiler  clang 21.0.0 (clang-2100.0.123.102)'
expect_out_has '  linker    ld 1266.8'
expect_out_has '  sdk       macosx 26.4'
expect_out '^    settings sha256:[0-9a-f]{64}$'
hm -C repo --json pin show clt
cp "$out" answer.json
run jq -r '[.family, .developer_dir, .package.id, .compiler.build, .sdk.name] | join("|")' answer.json
expect_out_is - <<END
apple|$dir|com.apple.pkg.CLTools_Executables|clang-2100.0.123.102|macosx
END

t 'check accepts what matches, by digests that others made'
hm -C repo pin check clt
expect_code 0
expect_err_empty
expect_out "^  ok   developer dir +$dir +$dir\$"
expect_out '^  ok   package version +26.4.0.0.1774242506 +26.4.0.0.1774242506$'
expect_out "^  ok   compiler +clang +$dir/usr/bin/clang\$"
expect_out '^  ok   compiler version +21.0.0 +21.0.0$'
expect_out '^  ok   compiler build +clang-2100.0.123.102 +clang-2100.0.123.102$'
expect_out '^  ok   linker version +1266.8 +1266.8$'
expect_out "^  ok   sdk +macosx +$dir/SDKs/MacOSX26.4.sdk\$"
expect_out '^  ok   sdk version +26.4 +26.4$'
expect_out '^  ok   sdk settings +(sha256:[0-9a-f]{64}) +\1$'
expect_out '^  ok   sdk contents +(sha256:[0-9a-f]{64}) +\1$'
expect_out "^  ok   codesign +codesign +$dir/usr/bin/codesign\$"
expect_out "^  ok   lipo +lipo +$dir/usr/bin/lipo\$"
expect_no_out '^  BAD'
cp "$out" honest.txt

t "the caller's environment and xcode-select have no influence"
echo /Applications/Other.app/Contents/Developer >"$dir/standin/selected"
run env DEVELOPER_DIR=/nowhere SDKROOT=/nowhere TOOLCHAINS=other PATH=/usr/bin:/bin \
    "$HALLMARK" -C repo pin check clt
expect_code 0
expect_out_is honest.txt
run env DEVELOPER_DIR=/nowhere "$dir/usr/bin/xcrun" --find clang
[ "$code" -ne 0 ] || fail 'the stand-in does not heed DEVELOPER_DIR, so that this case shows nothing'
run env SDKROOT=/nowhere "$dir/usr/bin/xcrun" --sdk macosx --show-sdk-path
expect_out_has /nowhere
run env TOOLCHAINS=other "$dir/usr/bin/xcrun" --find clang
expect_out_has /other/

t 'as JSON'
hm -C repo --json pin check clt
expect_code 0
cp "$out" answer.json
run jq -r '.matches, (.fields | length), (.fields[] | select(.field == "compiler build") | .found),
    ([.fields[].ok] | all), (.compiler_files[0].path)' answer.json
expect_out_is - <<END
true
15
clang-2100.0.123.102
true
$dir/usr/bin/clang
END

t 'the receipt has another version'
standin wrong-package
hm -C repo pin check clt
found 'package version,' 'package version: expected 26.4.0.0.1774242506, found 26.3.0.0.1.1770000000$'

t 'there is no receipt'
standin no-receipt
hm -C repo pin check clt
found 'package,package version,' \
    "package: expected com.apple.pkg.CLTools_Executables, found none \\('pkgutil' exited with status 1: No receipt for 'com.apple.pkg.CLTools_Executables' found at '/'.\\); package version: expected 26.4.0.0.1774242506, found none\$"

t 'clang is of another build'
standin other-clang
hm -C repo pin check clt
found 'compiler build,' 'compiler build: expected clang-2100.0.123.102, found clang-2100.0.150.7$'
hm -C repo --json pin check clt
expect_code 4
expect_out '"matches": false'
expect_out '"found": "clang-2100.0.150.7"'

t 'ld is another one'
standin other-ld
hm -C repo pin check clt
found 'linker version,' 'linker version: expected 1266.8, found 1300.1$'

t 'clang is not Apple'"'"'s'
standin
echo Debian >"$dir/standin/clang-vendor"
hm -C repo pin check clt
found 'compiler,compiler version,compiler build,' "compiler: expected clang, found $dir/usr/bin/clang \\(it is not Apple's clang\\)"

t 'the SDK has another version'
standin other-sdk
hm -C repo pin check clt
found 'sdk version,sdk settings,sdk contents,' 'sdk version: expected 26.4, found 26.5; sdk settings: expected sha256:'

t 'what the SDK calls its version cannot play with a terminal'
standin
settings="$dir/SDKs/MacOSX26.4.sdk/SDKSettings.json"
sed 's/"Version": "26.4"/"Version": "26.4\\u001b[2J"/' "$settings" >settings.json
cp settings.json "$settings"
hm -C repo pin check clt
found 'sdk version,sdk settings,sdk contents,' 'sdk version: expected 26.4, found 26.4'
expect_not grep -q "$(printf '\033')" "$out" "$err"

t 'SDKSettings.json has other bytes'
standin sdk-settings
hm -C repo pin check clt
found 'sdk settings,sdk contents,' 'sdk settings: expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}; sdk contents: '

t 'a header of the SDK has other bytes'
standin sdk-contents
hm -C repo pin check clt
found 'sdk contents,' 'sdk contents: expected sha256:[0-9a-f]{64}, found sha256:[0-9a-f]{64}$'

t 'a link of the SDK leads to another file'
standin
ln -sfn stdlib.h "$dir/SDKs/MacOSX26.4.sdk/usr/include/_stdio.h"
hm -C repo pin check clt
found 'sdk contents,' 'sdk contents: expected'

t 'what no compiler reads of the SDK does not matter'
standin sdk-unread
hm -C repo pin check clt
expect_code 0
expect_out_is honest.txt

t 'something in the SDK that is no file'
standin
mkfifo "$dir/SDKs/MacOSX26.4.sdk/usr/include/pipe.h"
hm -C repo pin check clt
expect_code 3
expect_err_has "'usr/include/pipe.h' is neither a file nor a link"

t 'an SDK without settings'
standin
rm "$dir/SDKs/MacOSX26.4.sdk/SDKSettings.json"
hm -C repo pin check clt
found 'sdk,sdk version,sdk settings,sdk contents,' "sdk: expected macosx, found .*/MacOSX26.4.sdk \\(cannot open '.*/SDKSettings.json': No such file"

t 'xcrun names an SDK outside of the directory'
standin sdk-moved
hm -C repo pin check clt
found 'sdk,sdk version,sdk settings,sdk contents,' "sdk: expected macosx, found $dir.elsewhere/MacOSX26.4.sdk \\(it is outside of '$dir'\\)"

t 'xcrun finds programs elsewhere: none of them is started'
standin xcrun-elsewhere
rm -f started
for name in clang ld lipo codesign; do
    printf '#!/bin/sh\necho %s >>%q\n' $name "$PWD/started" >"$dir.elsewhere/usr/bin/$name.new"
    chmod 755 "$dir.elsewhere/usr/bin/$name.new"
    mv -f "$dir.elsewhere/usr/bin/$name.new" "$dir.elsewhere/usr/bin/$name"
done
hm -C repo pin check clt
expect_code 4
expect_err "compiler: expected clang, found $dir.elsewhere/usr/bin/clang \\(it is outside of '$dir'\\)"
expect_err "linker: expected ld, found $dir.elsewhere/usr/bin/ld \\(it is outside"
expect_err "codesign: expected codesign, found $dir.elsewhere/usr/bin/codesign \\(it is outside"
expect_err "lipo: expected lipo, found $dir.elsewhere/usr/bin/lipo \\(it is outside"
expect_no_file started

t 'there is no codesign'
standin codesign-missing
hm -C repo pin check clt
if [ -x /usr/bin/codesign ]; then
    skip 'the system has one'
else
    found 'codesign,' 'codesign: expected codesign, found none \(.xcrun. exited with status 72: xcrun: error: unable to find utility "codesign", not a developer tool or in PATH\)'
fi

t 'there is no xcrun'
standin
rm "$dir/usr/bin/xcrun"
hm -C repo pin check clt
expect_code 4
expect_err "compiler: expected clang, found none \\(the developer directory has no 'usr/bin/xcrun'\\)"

t 'a build that is not listed, and one that is'
standin
hm -C repo --json pin check clt
cc=$(jq -r .compiler_digest "$out")
ld=$(jq -r .linker_digest "$out")
cp repo/toolchain/clt.yaml clt.yaml
printf 'builds:\n  - {id: one, compiler: "%s", linker: "%s"}\n' "$cc" "$cc" >>repo/toolchain/clt.yaml
hm -C repo pin check clt
expect_code 4
expect_err_has "toolchain 'clt' does not list this machine's build: expected one (compiler $cc, linker $cc); found compiler $cc, linker $ld"
printf '  - {id: two, compiler: "%s", linker: "%s"}\n' "$cc" "$ld" >>repo/toolchain/clt.yaml
hm -C repo pin check clt
expect_code 0
expect_out '^  ok   build +one, two +two$'
standin wrong-package
hm -C repo pin check clt
found 'package version,' 'package version: expected .*'
expect_out '^  ok   build +one, two +two$'
standin
cp clt.yaml repo/toolchain/clt.yaml

t 'a pin without digests of the SDK is told'
sed 's/, settings: .*}/}/' clt.yaml >repo/toolchain/clt.yaml
hm -C repo pin check clt
expect_code 0
expect_out '^  ok   sdk contents +any +sha256:[0-9a-f]{64}$'
expect_out_has "note: pin 'clt' lists no builds: any build of the version is accepted; pin 'clt' lists no digest of the SDK: any SDK of the version is accepted"
cp clt.yaml repo/toolchain/clt.yaml

t 'a directory that nobody allowed is not even looked into'
run env -u HALLMARK_DEVELOPER_DIRS "$HALLMARK" -C repo pin check clt
expect_code 4
expect_err_has "toolchain 'clt' names the developer directory '$dir', from which nothing may be started"
expect_err 'hint: .*HALLMARK_DEVELOPER_DIRS'
run env HALLMARK_DEVELOPER_DIRS=/nowhere:.:"$PWD/Developer" "$HALLMARK" -C repo pin check clt
expect_code 4
run env HALLMARK_DEVELOPER_DIRS="/nowhere:$dir" "$HALLMARK" -C repo pin check clt
expect_code 0

t 'a link does not make a place allowed'
mkdir allowed
ln -s "$dir" allowed/CommandLineTools
sed "s,^developer_dir: .*,developer_dir: \"$PWD/allowed/CommandLineTools\"," clt.yaml >repo/toolchain/clt.yaml
run env HALLMARK_DEVELOPER_DIRS="$PWD/allowed" "$HALLMARK" -C repo pin check clt
expect_code 4
expect_err_has "names the developer directory '$dir', from which nothing may be started"
cp clt.yaml repo/toolchain/clt.yaml

t 'Xcode says its version in its property list'
xcode="$PWD/Developer Tools/Xcode.app/Contents/Developer"
"$SRCDIR/tests/standin/make" --xcode "$xcode"
"$SRCDIR/tests/standin/pin" "$xcode" xcode >repo/toolchain/xcode.yaml
hm -C repo pin check xcode
expect_code 0
expect_out '^  ok   package version +26.4-17E192 +26.4-17E192$'
expect_out "^  ok   compiler +clang +$xcode/Toolchains/XcodeDefault.xctoolchain/usr/bin/clang\$"
sed -i 's/17E192/17E200/' "$xcode/../version.plist"
hm -C repo pin check xcode
expect_code 4
expect_err 'package version: expected 26.4-17E192, found 26.4-17E200$'
expect_err 'hint: install Xcode 26.4 in '
sed -i '/26.4/d' "$xcode/../version.plist"
hm -C repo pin check xcode
expect_code 4
expect_err 'package: expected com.apple.pkg.Xcode, found none \('
rm "$xcode/../version.plist"
hm -C repo pin check xcode
expect_code 4
expect_err "package: expected com.apple.pkg.Xcode, found none \\(cannot open '.*/version.plist': No such file"

t 'a developer directory that is not there: what to install, where, and what else can be used'
hm -C repo pin check apple-clt-26.4
if [ -d /Library/Developer/CommandLineTools ]; then
    skip 'this machine has one'
else
    expect_code 4
    expect_err_has "toolchain 'apple-clt-26.4' needs package com.apple.pkg.CLTools_Executables 26.4.0.0.1774242506 in '/Library/Developer/CommandLineTools', which is not on this machine"
    expect_err 'hint: on a Mac, install Command Line Tools for Xcode 26.4 \(softwareupdate --list .*developer.apple.com/download/all/.*; toolchains that this machine has: llvm-19$'
    expect_out '^  BAD  developer dir +/Library/Developer/CommandLineTools +not found$'
fi

finish

#!/usr/bin/env bash
# hallmark pin write: a pin of what this machine has, which holds on it at once.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

dir="$PWD/It's Developer Tools/CommandLineTools" # what a path may have
export HALLMARK_DEVELOPER_DIRS=$PWD
mkdir -p repo/toolchain
cp -R "$SRCDIR/toolchain/sdk" repo/toolchain/sdk

t 'apple: the draft is the pin that others would write, and holds'
"$SRCDIR/tests/standin/make" "$dir"
hm -C repo pin write clt --developer-dir "$dir" -o toolchain/clt.yaml
expect_code 0
expect_err_empty
expect_out_has 'written: toolchain/clt.yaml'
hm -C repo pin check clt
expect_code 0
expect_out '^  ok   build +[a-z]+-[a-z0-9_]+ +[a-z]+-[a-z0-9_]+$'
expect_no_out ' any '
"$SRCDIR/tests/standin/pin" "$dir" clt >repo/toolchain/other.yaml
sed -i 's/^name: clt/name: other/' repo/toolchain/other.yaml
hm -C repo --json pin show clt
jq -S 'del(.name, .file, .builds)' "$out" >drafted.json
hm -C repo --json pin show other
jq -S 'del(.name, .file, .builds)' "$out" >expected.json
expect_same drafted.json expected.json

t 'what is there is never overwritten'
cp repo/toolchain/clt.yaml before.yaml
hm -C repo pin write clt --developer-dir "$dir" -o toolchain/clt.yaml
expect_code 6
expect_err_has toolchain/clt.yaml
expect_same repo/toolchain/clt.yaml before.yaml

t 'to stdout, and as JSON'
hm -C repo pin write clt --family apple --developer-dir "$dir" --build-id here
expect_code 0
sed "s/id: '[a-z0-9_-]*'/id: 'here'/" before.yaml >expected.yaml
expect_out_is expected.yaml
hm -C repo --json pin write clt --developer-dir "$dir" --build-id here
expect_code 0
cp "$out" answer.json
run jq -j .text answer.json
expect_out_is expected.yaml

t 'a directory that the user names needs no other leave'
run env -u HALLMARK_DEVELOPER_DIRS "$HALLMARK" -C repo pin write clt --developer-dir "$dir"
expect_code 0

t 'Xcode'
xcode="$PWD/Xcode.app/Contents/Developer"
"$SRCDIR/tests/standin/make" --xcode "$xcode"
hm -C repo pin write xcode --developer-dir "$xcode" -o toolchain/xcode.yaml
expect_code 0
expect grep -q "package: {id: 'com.apple.pkg.Xcode', version: '26.4-17E192'}" repo/toolchain/xcode.yaml
hm -C repo pin check xcode
expect_code 0

t 'what is not complete is no pin'
"$SRCDIR/tests/standin/make" "$dir" no-receipt sdk-moved
hm -C repo pin write clt --developer-dir "$dir"
expect_code 4
expect_out_empty
expect_err "is not complete: package: expected com.apple.pkg.CLTools_Executables, found none .*; sdk: expected macosx, found .*outside of"
hm -C repo pin write clt --developer-dir "$PWD/nowhere"
expect_code 4
expect_err_has "there is no developer directory '$PWD/nowhere'"
if [ ! -d /Library/Developer/CommandLineTools ]; then
    hm -C repo pin write clt --family apple
    expect_code 4
    expect_err_has "there is no developer directory '/Library/Developer/CommandLineTools'"
fi

t 'llvm: the newest that is here'
hm -C repo pin write mine -o toolchain/mine.yaml
expect_code 0
hm -C repo pin check mine
expect_code 0
expect_no_out ' any '
hm -C repo pin show mine
expect_out_has '  sdk       toolchain/sdk 14.0'

t 'llvm: a major version, which is the project'"'"'s own pin'
hm -C repo pin write mine --major 19
expect_code 0
compiler=$(sed -n 's/.* compiler: .\(sha256:[0-9a-f]*\).*/\1/p' "$out")
expect grep -q "$compiler" "$SRCDIR/toolchain/llvm-19.yaml"
hm -C repo pin write mine --major 9
expect_code 4
expect_err "there is no 'clang' 9 on this machine"

t 'llvm: an SDK that says nothing'
mkdir repo/empty
hm -C repo pin write mine --sdk empty
expect_code 4
expect_err_has "the SDK './empty' does not say its version"

t 'wrong usage'
for words in '--family gcc' '--family llvm --developer-dir /x' '--developer-dir /x --major 3' '--major 1000'; do
    # shellcheck disable=SC2086 # several words
    hm -C repo pin write x $words
    expect_code 2
done
hm -C repo pin show clt -o file
expect_code 2
expect_err_has "--output is for 'write' alone"
hm -C repo pin check clt --major 3
expect_code 2
hm -C repo pin write ../x
expect_code 3
expect_err_has "toolchain name '../x' begins with a dot"

t 'a developer directory that no pin can name: nothing in it is started'
printf '#!/bin/sh\necho >"%s/started"\n' "$PWD" >"$dir/usr/bin/xcrun"
for path in relative/dir "$dir/../CommandLineTools" ''; do
    hm -C repo pin write x --developer-dir "$path"
    expect_code 3
    expect_err "developer directory '.*' is not (absolute|a plain path)$"
done
expect_no_file started

t 'a slash at its end is left out'
"$SRCDIR/tests/standin/make" "$dir"
hm -C repo pin write x --developer-dir "$dir//"
expect_code 0
expect_out "^developer_dir: '.*/CommandLineTools'\$"

finish

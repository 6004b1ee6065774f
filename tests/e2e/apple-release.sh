#!/usr/bin/env bash
# A release on Apple's line, with a stand-in for the developer directory: what is run, what comes
# out, and what has no influence on it.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/apple.sh"

apple_needs_trials
standin
apple_shim shim
internal='.predicate.buildDefinition.internalParameters'

t 'releases the shim'
hm --quiet release --repo shim --rev main --out out
expect_code 0
expect_err_has "pin 'standin' lists no builds: any build of the version is accepted"
commit=$(rev)
expect_only out LumeMetalCapabilities-arm64.dylib LumeMetalCapabilities-arm64e.dylib \
    LumeMetalCapabilities.dylib metal-capabilities "LumeMetalCapabilities-source-${commit:0:8}.tar.gz" \
    provenance.intoto.json PROVENANCE.md SHA256SUMS attestations
hm verify out
expect_code 0

t 'environment and commands are the golden ones'
run jq -r "$internal | .environment[], \"\", (.commands[] | \"\\(.artifact): \\(.step)\", (.argv[] | \"    \" + .))" \
    out/provenance.intoto.json
sed -i.bak "s/^SOURCE_DATE_EPOCH=.*/SOURCE_DATE_EPOCH=.../" "$out"
expect_out_is "$SRCDIR/tests/golden/apple-commands.txt"

t 'the products show the pinned SDK and linker'
for file in LumeMetalCapabilities-arm64.dylib LumeMetalCapabilities-arm64e.dylib metal-capabilities; do
    run jq -rc --arg name $file "$internal.artifacts[] | select(.name == \$name)
        | [.sdk, .linker, .minMacos, .signature.kind, .signature.pageSize, .pass]" \
        out/provenance.intoto.json
    expect_out_is - <<<'["26.4","ld 1266.8","13.0","adhoc",4096,null]'
done
run jq -rc "$internal.artifacts[1] | [.arch, .cpusubtype]" out/provenance.intoto.json
expect_out_is - <<<'["arm64e","0x80000002"]'
run jq -rc "$internal.toolchain | [.family, .compiler.version, .linker.program, .linker.version,
    .sdk.path, .sdk.version, .sdk.gitTree]" out/provenance.intoto.json
expect_out_is - <<<'["apple","21.0.0","ld","1266.8","macosx","26.4",null]'

t 'where things were is in the observation alone'
# The pin's text, which the record carries, names the developer directory.
expect_not grep -qF "$PWD" out/PROVENANCE.md
run jq 'del(.predicate.buildDefinition.externalParameters.toolchain.text)' out/provenance.intoto.json
expect_no_out "$PWD"
run jq -rc '.witnesses | keys' out/attestations/observed.json
expect_out_is - <<<'["codesign","lipo"]'
run jq -r '.witnesses.codesign' out/attestations/observed.json
expect_out_is - <<<"$apple/usr/bin/codesign"

t 'PROVENANCE.md says who signed and who witnessed'
expect grep -qF "Apple's codesign has made the same signatures" out/PROVENANCE.md
expect_not grep -q 'linked by no linker' out/PROVENANCE.md

t 'comes out the same again, whatever the caller has set'
mkdir elsewhere
export DEVELOPER_DIR=$PWD/elsewhere SDKROOT=$PWD/elsewhere TOOLCHAINS=com.example.other \
    CPATH=$PWD/elsewhere LIBRARY_PATH=$PWD/elsewhere MACOSX_DEPLOYMENT_TARGET=10.9
hm --quiet release --repo shim --rev main --out again
unset DEVELOPER_DIR SDKROOT TOOLCHAINS CPATH LIBRARY_PATH MACOSX_DEPLOYMENT_TARGET
expect_code 0
cp -R out first
rm -r first/attestations again/attestations
expect_same again first

t 'audit derives it where the toolchain is'
hm --quiet audit out --repo shim
expect_code 0
expect_out_has "come from commit $commit, byte for byte"

t 'a header from outside of revision and SDK is refused'
apple_project small
printf '#include "%s"\n' "$PWD/other.h" >>"$repo/small.h"
echo 'extern int other;' >other.h
commit 'small: outside'
hm --quiet release --repo small --rev main --out refused
# Where the kernel confines the compiler, it cannot even read the file.
[ "$code" = 5 ] || expect_code 3
expect_err_has "$PWD/other.h"
expect_no_file refused

t 'a header of the SDK that leads out of it is refused, though the pin has the link'
standin
cp other.h "$apple/standin/other.h" # which the compiler may read, where the kernel confines it
ln -s "$apple/standin/other.h" "$apple/SDKs/MacOSX26.4.sdk/usr/include/outside.h"
apple_project linked
echo '#include <outside.h>' >>"$repo/small.h"
commit 'linked: outside'
hm --quiet release --repo linked --rev main --out refused
expect_code 3
expect_err_has "the compiler opened '$apple/SDKs/MacOSX26.4.sdk/usr/include/outside.h'"
expect_no_file refused

t "in Xcode's layout, and with signatures of the linker's style, which codesign has none of"
apple=$PWD/Xcode.app/Contents/Developer
standin --xcode codesign-signs-otherwise
apple_project xcode
sed -i.bak 's/style: codesign/style: linker/' "$repo/hallmark.yaml" && rm "$repo/hallmark.yaml.bak"
commit 'xcode: first'
hm --quiet release --repo xcode --rev main --out linker
expect_code 0
hm verify linker
expect_code 0
run jq -rc "$internal.artifacts[0] | [.signature.kind, .linker]" linker/provenance.intoto.json
expect_out_is - <<<'["linker","ld 1266.8"]'
standin --xcode codesign-rejects
hm --quiet release --repo xcode --rev main --out rejected
expect_code 1
expect_out_has 'finding witness.codesign: Small-arm64.dylib'
expect_no_file rejected

finish

#!/usr/bin/env bash
# hallmark release: universal artifacts and trials; what changes them afterwards is found.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

hm assay no-such-file
unicorn=yes
! grep -q 'without Unicorn' "$err" || unicorn=no

mkrepo project
mkdir -p "$repo/trials"
cat >"$repo/shim.m" <<'END'
#import <Foundation/Foundation.h>
#include <stdlib.h>
__attribute__((constructor)) static void start(void)
{
    NSLog(@"home is %s", getenv("HOME"));
}
END
cat >"$repo/trials/log.yaml" <<'END'
reason: the log names the home
each: [HOME=/a, HOME=/b c]
expect:
  devices: [{yes: ["1001"], no: ["5001"]}]
  log: [PLACEHOLDER]
END
sed -i 's/^each: .*/environment: [HOME=\/a]/; s/PLACEHOLDER/"home is \/a"/' "$repo/trials/log.yaml"
echo 'not a trial' >"$repo/trials/README"
artifact() { # NAME ARCH
    cat <<END
  - name: $1
    kind: dylib
    arch: $2
    min_macos: "13.0"
    sources: [shim.m]
    install_name: "@rpath/Shim.dylib"
    frameworks: [Foundation]
    cflags: [-O2]
END
}
recipe() { # EXTRA...
    printf 'name: Shim\nversion: "1"\ntoolchain: llvm-19\n'
    printf '%s\n' "$@"
    echo 'artifacts:'
    artifact Shim-arm64.dylib arm64
    artifact Shim-arm64e.dylib arm64e
}
{
    recipe 'trials: trials'
    printf '  - {name: Shim.dylib, kind: universal, of: [Shim-arm64e.dylib, Shim-arm64.dylib]}\n'
} >"$repo/hallmark.yaml"
commit 'shim: first'

if [ $unicorn = no ]; then
    t 'a recipe with trials is refused by a hallmark without Unicorn'
    hm release --repo project --rev main --out out
    expect_code 7
    expect_err_has 'built without Unicorn'
    expect_no_file out
    finish
fi

t 'a release carries the universal file, and what its trials said'
hm release --repo project --rev main --out out
expect_code 0
expect_only out Shim-arm64.dylib Shim-arm64e.dylib Shim.dylib \
    "Shim-source-$(git -C project rev-parse --short=8 main).tar.gz" \
    PROVENANCE.md SHA256SUMS attestations provenance.intoto.json
# shellcheck disable=SC2016 # not for this shell
expect grep -q '| `trials/log.yaml` | Shim-arm64e.dylib | passed | 1 | 3 |' out/PROVENANCE.md
expect grep -q 'arm64e (cpusubtype 0x80000002) at offset .*: Shim-arm64e.dylib' out/PROVENANCE.md
expect jq -e '.predicate.buildDefinition.internalParameters.trials[0].results[1] |
    .artifact == "Shim-arm64e.dylib" and .passed and
    .transcript == ["device 0, family 1001: yes", "device 0, family 5001: no", "log: home is /a"]' \
    out/provenance.intoto.json
run sha256sum -c --quiet --strict out/SHA256SUMS
hm lipo out/Shim.dylib -thin arm64e -output thin
expect_same thin out/Shim-arm64e.dylib
hm verify out
expect_code 0
hm verify out/Shim.dylib
expect_code 0

t 'twice the same bytes, and audit derives them'
hm release --repo project --rev main --out again
expect_code 0
# shellcheck disable=SC2016 # not for this shell
expect sh -c 'for f in out/*; do [ -d "$f" ] || cmp "$f" "again/${f#out/}" || exit 1; done'
hm audit out --repo project
expect_code 0
expect_out_has 'identical   Shim.dylib'

# forge FILE SED: a copy of the release in forged/, changed, with sums that agree
forge() {
    rm -rf forged
    cp -R out forged
    chmod -R u+w forged
    sed -i "$2" "forged/$1"
    rm forged/SHA256SUMS
    (cd forged && sha256sum -- *.* >../sums) # the folder of attestations has no dot in its name
    mv sums forged/SHA256SUMS
}

t 'verify runs the trials again, and believes no transcript'
forge provenance.intoto.json 's|device 0, family 1001: yes|device 0, family 1001: no|'
hm verify forged
expect_code 1
expect_out_has 'finding provenance.claim: provenance.intoto.json: trial trials/log.yaml, line 1 of the transcript'
expect_out_has 'expected: device 0, family 1001: yes'
forge provenance.intoto.json 's|"checks": 3,|"checks": 30,|'
hm verify forged
expect_code 1
expect_out_has 'trial trials/log.yaml, checks'

t 'verify holds the universal file against its parts'
rm -rf forged
cp -R out forged
rm forged/Shim.dylib
hm lipo out/Shim-arm64.dylib -create -output forged/Shim.dylib
hm verify forged
expect_code 1
expect_out_has 'finding universal.part: Shim.dylib'
expect_out_has 'expected: Shim-arm64e.dylib'
cp out/Shim-arm64.dylib forged/Shim.dylib
hm verify forged
expect_out_has 'finding universal.file: Shim.dylib'

t 'verify knows the one layout of a universal file'
# shellcheck disable=SC2317 # called through eval
swap() { # the two entries of the table, and nothing else
    dd if=out/Shim.dylib of=forged/Shim.dylib bs=1 skip=28 seek=8 count=20 conv=notrunc
    dd if=out/Shim.dylib of=forged/Shim.dylib bs=1 skip=8 seek=28 count=20 conv=notrunc
}
for change in swap "printf '\014' | dd of=forged/Shim.dylib bs=1 seek=27 conv=notrunc" \
    'printf more >>forged/Shim.dylib'; do
    rm -rf forged
    cp -R out forged
    chmod -R u+w forged
    eval "$change" 2>/dev/null
    hm verify forged
    expect_code 1
    expect_out 'finding universal.file: Shim.dylib'
    expect_out_has 'expected: its parts, laid out as lipo does'
done

t 'verify knows where trials come from'
for name in trials/deep/log.yaml other/log.yaml trials/log.txt trials/.yaml; do
    forge provenance.intoto.json "s|\"trials/log.yaml\"|\"$name\"|"
    hm verify forged
    expect_code 1
    expect_out_has "expected: a trial of the folder 'trials'"
    expect_out_has "actual:   $name"
done
jq '.predicate.buildDefinition.internalParameters.trials |= [.[0], .[0]]' out/provenance.intoto.json >twice
forge provenance.intoto.json ''
cat twice >forged/provenance.intoto.json
hm verify forged
expect_code 1
expect_out_has "expected: a name behind 'trials/log.yaml'"

t 'a trial that fails: nothing is published'
sed -i 's/no: \["5001"\]/no: ["1002"]/' "$repo/trials/log.yaml"
commit 'trials: wrong'
hm release --repo project --rev main --out bad
expect_code 1
expect_out_has 'finding assay.answer: trial trials/log.yaml of Shim-arm64.dylib: device 0, family 1002'
expect_out_has 'finding assay.answer: trial trials/log.yaml of Shim-arm64e.dylib: device 0, family 1002'
expect_out_has 'not released: 2 findings'
expect_no_file bad

# refused RECIPE-SED MESSAGE
refused() {
    git -C "$repo" checkout -q main
    git -C "$repo" checkout -q -B try HEAD~1
    sh -c "cd '$repo' && $1"
    commit 'try'
    hm release --repo project --rev try --out bad
    expect_code 3
    expect_err_has "$2"
    expect_no_file bad
}

t 'trials that try nothing are refused'
refused 'git rm -q trials/log.yaml' "there is no trial in 'trials'"
refused 'git rm -qr trials' "the folder of trials 'trials' is not in the tree"
refused "sed -i '1a artifacts: [Other.dylib]' trials/log.yaml" "trial 'trials/log.yaml' is of no artifact"
refused "sed -i '1a main: probe' trials/log.yaml" "the main 'probe' of trial 'trials/log.yaml' is no executable"
refused "sed -i 's|trials: trials|trials: ../trials|' hallmark.yaml" "folder of trials '../trials'"
refused "echo x >>trials/log.yaml" "in 'trials/log.yaml' line"
refused 'rm trials/log.yaml; ln -s ../hallmark.yaml trials/log.yaml' 'is not a regular file'

t 'universal artifacts that cannot be are refused'
refused "sed -i 's|of: .*|of: [Shim-arm64.dylib, Shim.dylib]}|' hallmark.yaml" "joins 'Shim.dylib', which is no thin artifact before it"
refused "sed -i 's|of: .*|of: [Shim-arm64.dylib, Shim-arm64.dylib]}|' hallmark.yaml" "joins two artifacts for arm64"
refused "sed -i 's|of: .*|of: [Shim-arm64.dylib]}|' hallmark.yaml" "is an empty list"
refused "sed -i 's|kind: universal, of|kind: universal, arch: arm64, of|' hallmark.yaml" "'Shim.dylib' is universal, so it has no 'arch'"
refused "sed -i 's|, of: .*|}|' hallmark.yaml" "key 'of' of 'artifacts[2]' is missing"
refused "sed -i 's|kind: dylib|kind: dylib\n    of: [a, b]|' hallmark.yaml" "is not universal, so it has no 'of'"
refused "sed -n '/kind: universal/p' hallmark.yaml >x; sed -i '/kind: universal/d; /^artifacts:/r x' hallmark.yaml" "which is no thin artifact before it"
finish

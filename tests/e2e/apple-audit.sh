#!/usr/bin/env bash
# hallmark audit of a release of Apple's line, where that toolchain is not: everything else is
# checked, and the answer is neither good nor bad.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/apple.sh"

apple_needs_trials
standin
apple_project small
hm --quiet release --repo small --rev main --out good
expect_code 0
commit=$(rev)
archive=Small-source-${commit:0:8}.tar.gz
rm -rf "$apple"
missing="toolchain 'standin' needs package com.apple.pkg.CLTools_Executables 26.4.0.0.1774242506 in '$apple', which is not on this machine"
internal='.predicate.buildDefinition.internalParameters'
external='.predicate.buildDefinition.externalParameters'

fresh() {
    rm -rf bad
    cp -R good bad
}

audited() { # of the changed copy
    hm --quiet audit bad --repo small
    expect_code 1
    expect_out_has "$missing"
}

# The record changed by a filter of jq, in the documents as hallmark prints them, with sums that fit.
forged() { # FILTER
    fresh
    jq "$1" good/provenance.intoto.json >bad/provenance.intoto.json
    expect "$TESTBIN/tools/reprint" bad/provenance.intoto.json bad/PROVENANCE.md
    expect_not cmp -s good/provenance.intoto.json bad/provenance.intoto.json
    fit_sums bad
    audited
    expect_no_out 'provenance.document'
}

t 'what could not be derived is said, with the package to get'
hm --quiet audit good --repo small
expect_code 4
expect_err_has "$missing"
expect_err '^  hint: on a Mac, install Command Line Tools for Xcode 26\.4 '
expect_out_is - <<END
not-derivable  PROVENANCE.md
not-derivable  SHA256SUMS
not-derivable  Small-arm64.dylib
not-derivable  Small-arm64e.dylib
identical      $archive
not-derivable  Small.dylib
not-derivable  provenance.intoto.json
not derivable here: 6 of 7 files of Small 7 need toolchain 'standin'; everything else holds
END

t 'the same in JSON'
hm --json --quiet audit good --repo small
expect_code 4
cp "$out" answer.json
run jq -c '[.verdict, .derived, .missingToolchain.name, (.findings | length)],
    (.files[] | [.name, .status, .expected == .actual])' answer.json
expect_out_is - <<END
["not-derivable",false,"standin",0]
["PROVENANCE.md","not-derivable",false]
["SHA256SUMS","not-derivable",false]
["Small-arm64.dylib","not-derivable",false]
["Small-arm64e.dylib","not-derivable",false]
["$archive","identical",true]
["Small.dylib","not-derivable",false]
["provenance.intoto.json","not-derivable",false]
END
run jq -r '.missingToolchain.problem' answer.json
expect_out_has "$missing"

t 'a changed byte of an artifact is found, though nothing was derived'
fresh
printf '\377' | dd of=bad/Small-arm64.dylib bs=1 seek=4100 conv=notrunc 2>/dev/null
fit_sums bad
audited
expect_out_has 'finding sig.page-hash: Small-arm64.dylib'
expect_out_has 'finding provenance.claim: Small-arm64.dylib: SHA-256'
expect_out_has 'finding universal.part: Small.dylib'
expect_out_has "not derivable here: 6 of 7 files of Small 7 need toolchain 'standin'"
hm --json --quiet audit bad --repo small
expect_code 1
cp "$out" answer.json
run jq -r '.verdict, .missingToolchain.name' answer.json
expect_out_is - <<'END'
findings
standin
END

t 'claims about the binaries'
forged "$internal.artifacts[0].sdk = \"26.3\""
expect_out_has 'finding provenance.claim: Small-arm64.dylib: SDK'
forged "$internal.artifacts[0].linker = \"ld 1300.1\""
expect_out_has 'finding provenance.claim: Small-arm64.dylib: linker'
forged "$internal.artifacts[1].minMacos = \"12.0\""
expect_out_has 'finding provenance.claim: Small-arm64e.dylib: minimum macOS'
forged "$internal.artifacts[1].uuid = \"00000000-0000-0000-0000-000000000000\""
expect_out_has 'finding provenance.claim: Small-arm64e.dylib: UUID'
forged "$internal.artifacts[0].libraries[0] = \"/usr/lib/libz.dylib\""
expect_out_has 'finding provenance.claim: Small-arm64.dylib: libraries'
forged "$internal.artifacts[0].signature.cdhash = \"00\""
expect_out_has 'finding provenance.claim: Small-arm64.dylib: cdhash'
forged "$internal.artifacts[1].pass = {name: \"arm64e\", ranOnAppleHardware: false, signedPointers: []}"
expect_out_has 'finding provenance.claim: provenance.intoto.json: pass'

t 'the SDK that the pin names by its contents'
forged "$internal.toolchain.sdk.sha256 = ($internal.archive.sha256)"
expect_out_has 'finding provenance.claim: provenance.intoto.json: SDK contents'

t 'claims about revision, sources and commands'
forged "$external.tree = \"0000000000000000000000000000000000000000\""
expect_out 'finding audit.differs: provenance.intoto.json: line [0-9]+$'
expect_out 'actual: .*"tree": "0000'
forged "$external.commitTime = \"2001-01-01T00:00:00Z\""
expect_out 'actual: .*2001-01-01'
forged "$internal.sources[0].sha256 = ($internal.sources[1].sha256)"
expect_out 'finding audit.differs: provenance.intoto.json: line'
expect_out 'expected: "sha256": "[0-9a-f]{64}"'
forged "$internal.sources += [{path: \"small.c\", size: 1, sha256: ($internal.sources[0].sha256)}]"
expect_out 'actual: +"path": "small.c"|actual: +\{$'
forged "$internal.commands[0].argv += [\"-DSMALL_VERSION=8\"]"
expect_out 'actual: .*-DSMALL_VERSION=8'
forged "$internal.environment += [\"CPATH=/tmp\"]"
expect_out 'actual: .*CPATH=/tmp'
forged "$internal.archive.tarSha256 = ($internal.archive.sha256)"
expect_out 'finding audit.differs: provenance.intoto.json: line'

t 'a recipe, policy or trial that the revision does not have'
texts() { # PATH-OF-TEXT FILTER-ON-TEXT: changed together with its digest
    local changed digest
    changed=$(jq "$1.text |= ($2)" good/provenance.intoto.json)
    digest=$(jq -j "$1.text" <<<"$changed" | sha256sum | sed 's/ .*//')
    forged "$1.text |= ($2) | $1.sha256 = \"$digest\""
    expect_out "actual: .*$digest"
}
texts "$external.recipe" 'sub("-O2"; "-O3")'
texts "$external.policy" 'sub("it starts nothing"; "it starts little")'
texts "$internal.trials[0].file" 'sub("names the home"; "names a home")'

t 'a trial that says something else'
forged "$internal.trials[0].results[0].transcript[0] = \"lies\""
expect_out_has 'finding provenance.claim: provenance.intoto.json: trial trials/log.yaml'

t 'another source archive'
fresh
gzip -dc "good/$archive" >archive.tar
echo >>archive.tar
gzip -nc archive.tar >"bad/$archive"
fit_sums bad
audited
expect_out_has "finding audit.differs: $archive"
expect_out_has "differs        $archive"

t 'files that are missing, or do not belong'
fresh
rm bad/Small.dylib
echo >bad/extra
audited
expect_out_has 'missing        Small.dylib'
expect_out_has 'unexpected     extra'
expect_out_has 'finding audit.unexpected: extra'

t 'by a manifest'
rm -rf manifest
mkdir manifest
cp good/provenance.intoto.json good/PROVENANCE.md good/SHA256SUMS manifest
hm --quiet audit manifest --repo small --manifest
expect_code 4
expect_err_has "$missing"
expect_out_has 'not-derivable  Small-arm64.dylib'
expect_out_has "identical      $archive"
sed -i.bak "s/^.*  $archive/$(printf '0%.0s' {1..64})  $archive/" manifest/SHA256SUMS && rm manifest/SHA256SUMS.bak
hm --quiet audit manifest --repo small --manifest
expect_code 1
expect_out_has "finding audit.differs: $archive"

t 'a repository without the commit'
mkrepo other
echo >other/file
commit other
hm --quiet audit good --repo other
expect_code 3
expect_err_has "$commit"

t 'the developer directory is there again'
standin
hm --quiet audit good --repo small
expect_code 0
expect_out_has 'byte for byte'

t 'an SDK that has other bytes than that of the release is another toolchain'
standin sdk-contents
hm --quiet audit good --repo small
expect_code 4
expect_err_has "toolchain 'standin' does not match this machine: sdk contents"
expect_out_has 'not-derivable  Small-arm64.dylib'

t 'a pin that neither the revision nor this machine has'
mkdir -p data
standin
mv small/toolchain data/toolchain
commit 'pin: gone' small
HALLMARK_DATA=$PWD/data hm --quiet release --repo small --rev main --out installed
expect_code 0
HALLMARK_DATA=$PWD/data hm --quiet audit installed --repo small
expect_code 0
hm --quiet audit installed --repo small
expect_code 4
expect_err_has "toolchain 'standin' is unknown"
expect_out_has 'not-derivable  Small-arm64.dylib'
expect_out 'identical +Small-source-'
echo '# changed' >>data/toolchain/standin.yaml
HALLMARK_DATA=$PWD/data hm --quiet audit installed --repo small
expect_code 4
expect_err_has "toolchain 'standin' installed here has SHA-256"
expect_out_has 'not-derivable  Small-arm64.dylib'

finish

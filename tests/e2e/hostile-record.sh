#!/usr/bin/env bash
# hallmark verify: a record that was changed, printed again and summed again, so that every digest
# holds, still has to say what its own recipe, policy and pin say. An audit derives it in any case.
. "$SRCDIR/tests/lib/e2e.sh"
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
recipe >stranger/hallmark.yaml
echo 'policy: policy.yaml' >>stranger/hallmark.yaml
cat >stranger/policy.yaml <<'END'
rules:
  - id: no-hooks
    reason: they must never ship
    forbid: {strings: [SECRET_HOOK], imports: [_system]}
END
commit 'a recipe with a policy' stranger

# The record changed by a jq program; documents and sums made anew. Nothing else tells on it.
forge() { # JQ-PROGRAM
    rm -rf bad
    cp -R good bad
    rm -r bad/attestations bad/SHA256SUMS
    jq ".predicate.buildDefinition |= ($1)" good/provenance.intoto.json >bad/provenance.intoto.json
    "$TESTBIN/tools/reprint" bad/provenance.intoto.json bad/PROVENANCE.md || fail 'cannot reprint'
    "$HALLMARK" sums write bad >"$E2E_STATE/sums" || fail 'cannot sum'
    cmp -s good/provenance.intoto.json bad/provenance.intoto.json && fail 'nothing was forged'
    hm verify bad
}

expect_claim() { # PLACE EXPECTED ACTUAL
    expect_code 1
    expect_out_has "finding provenance.claim: provenance.intoto.json: $1"
    expect_out_has "  expected: $2"
    expect_out_has "  actual:   $3"
    expect_no_out '^good'
}

expect_no_audit() {
    hm --quiet audit bad --repo stranger
    expect_code 1
    expect_out_has 'differs     provenance.intoto.json'
}

t 'the release is good before it is forged'
hm --quiet release --repo stranger --rev main --out good
expect_code 0
hm verify good
expect_code 0

t 'the policy that the recipe names is taken away'
forge '.externalParameters.policy = null | .internalParameters.policyRules = []'
expect_claim policy policy.yaml none
expect_no_audit

t 'a rule is said to have passed that the policy does not have'
forge '.internalParameters.policyRules += [.internalParameters.policyRules[0] | .id = "no-malware"]'
expect_claim 'number of policy rules' 1 2
forge '.internalParameters.policyRules[0].id = "no-malware"'
expect_claim 'policy rule' no-hooks no-malware
expect_no_audit

t 'a rule is said to have been applied to another artifact'
forge '.internalParameters.policyRules[0].artifacts = ["Other.dylib"]'
expect_claim 'policy rule no-hooks' Stranger.dylib Other.dylib

t 'rules are left out'
forge '.internalParameters.policyRules = []'
expect_claim 'number of policy rules' 1 0

t 'another name, version, repository'
forge '.externalParameters.name = "Famous"'
expect_claim name Stranger Famous
forge '.externalParameters.version = "8.0"'
expect_claim version 7.0 8.0
forge '.externalParameters.repository = "https://example.com/famous.git"'
expect_claim repository none https://example.com/famous.git
expect_no_audit

t 'an artifact that the recipe does not make'
forge '.internalParameters.artifacts += [.internalParameters.artifacts[0] | .name = "Famous.dylib"]'
expect_claim 'number of artifacts' 1 2
expect_no_audit

t 'a source that the recipe names is not among those that were compiled'
forge '.internalParameters.sources |= map(select(.path != "src/shim.m"))'
expect_claim source src/shim.m none

t 'another compiler than the pin has'
forge '.internalParameters.toolchain.compiler.version = "99.9"'
expect_claim 'compiler version' 19.1.7 99.9
forge '.externalParameters.toolchain.path = "../../etc/pin"'
expect_claim pin toolchain/llvm-19.yaml ../../etc/pin
expect_no_audit

t 'a commit that is an option, a branch, or no commit at all'
for word in --help main ../../HEAD; do
    forge ".externalParameters.commit = \"$word\""
    expect_claim commit '40 hexadecimal digits' "$word"
done

t 'an archive of another name or prefix'
forge '.internalParameters.archive.name = "../../x"'
expect_claim 'archive name' "Stranger-source-$(git -C stranger rev-parse HEAD | cut -c1-8).tar.gz" ../../x
forge '.internalParameters.archive.prefix = "-x/"'
expect_claim 'archive prefix' Stranger-7.0/ -x/

finish

#!/usr/bin/env bash
# hallmark release: a stranger's repository, a recipe from outside, and an audit that needs nothing
# but the repository.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger
head=$(rev)

t 'releases a project that knows nothing of hallmark'
hm release --repo stranger --rev main --recipe-file stranger.yaml --out out
expect_code 0
expect_out_has "released Stranger 7.0 from commit $head into out"
expect_only out Stranger.dylib "Stranger-source-${head:0:8}.tar.gz" recipe.yaml \
    provenance.intoto.json PROVENANCE.md SHA256SUMS attestations
expect_only out/attestations observed.json
expect_same out/recipe.yaml stranger.yaml

# Progress goes to stderr, one line a stage.
expect_err '^release: resolve +commit [0-9a-f]{40}$'
expect_err '^release: compile +sources: 1, artifacts: 1$'
expect_err '^release: publish +out$'

t 'the sums check with sha256sum'
run sh -c 'cd out && sha256sum --strict -c SHA256SUMS'
expect_code 0
expect_out_has 'Stranger.dylib: OK'

t 'the source archive is what git archive makes'
run git -C stranger archive --format=tar.gz --prefix=Stranger-7.0/ "$head"
expect_same "$out" "out/Stranger-source-${head:0:8}.tar.gz"

t 'the provenance says that no policy was checked, and names every file that was compiled'
run cat out/PROVENANCE.md
expect_out_has 'none: no policy was checked'
expect_out_has '`src/shim.m`'
expect_out_has '`src/shim.h`'
expect_out_has '`recipe.yaml` (from outside the revision)'
run jq -r '.predicate.buildDefinition.internalParameters.sources[].path' out/provenance.intoto.json
expect_code 0
expect_out_is - <<'END'
src/shim.h
src/shim.m
END

t 'the statement is an in-toto one, with the digests of the sums'
run jq -r '._type, .predicateType, (.subject[] | .digest.sha256 + "  " + .name)' out/provenance.intoto.json
expect_out_has 'https://in-toto.io/Statement/v1'
expect_out_has 'https://slsa.dev/provenance/v1'
expect_out_has "$(grep Stranger.dylib out/SHA256SUMS)"

t 'nothing of this machine is in what is under the sums'
run grep -rlF -e "$PWD" -e "$TMPDIR" -e "$HOME" -e "$(uname -r)" out --exclude-dir=attestations
expect_code 1
expect_out_empty

t 'audit needs the repository only'
hm audit out --repo stranger
expect_code 0
expect_out_has 'identical   Stranger.dylib'
expect_out_has 'identical   recipe.yaml'
expect_out_has "come from commit $head, byte for byte"

t 'a bare clone serves as well'
run git clone -q --bare stranger bare.git
hm audit out --repo bare.git
expect_code 0

t 'a dirty tree changes nothing'
echo 'int broken' >stranger/src/shim.m
echo 'not: yaml: [' >stranger/hallmark.yaml
hm --quiet release --repo stranger --rev "$head" --recipe-file stranger.yaml --out again
expect_code 0
expect_err_empty
rm -rf a b
cp -R out a && cp -R again b && rm -rf a/attestations b/attestations
expect_same a b

t 'a tag, a branch and an id give the same bytes'
git -C stranger tag -a -m one v7.0 "$head"
hm --quiet release --repo stranger --rev v7.0 --recipe-file stranger.yaml --out tagged
expect_code 0
rm -rf tagged/attestations
expect_same a tagged

t 'verify needs no repository at all'
hm verify out
expect_code 0
expect_out_is - <<'END'
good: out
END

t 'the answer as JSON'
hm --json --quiet release --repo stranger --rev "$head" --recipe-file stranger.yaml --out json
expect_code 0
cp "$out" answer
run jq -r '.published, .commit, .files[0].name, (.findings | length)' answer
expect_out_is - <<END
true
$head
Stranger.dylib
0
END
hm --json --quiet audit out --repo stranger
cp "$out" answer
run jq -r '.verdict, .derived, ([.files[].status] | unique[])' answer
expect_out_is - <<'END'
identical
true
identical
END

finish

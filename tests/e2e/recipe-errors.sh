#!/usr/bin/env bash
# hallmark release: what is wrong with a recipe is said with file, line and column, exit code 3,
# and nothing is left behind.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1
. "$SRCDIR/tests/lib/release.sh"

third_party stranger || exit 1
cp stranger.yaml good.yaml

# The recipe with a sed command applied, from outside the revision.
refused() { # SED-COMMAND MESSAGE
    sed "$1" good.yaml >recipe.yaml
    ! cmp -s good.yaml recipe.yaml || fail "the sed command changes nothing: $1"
    refused_as_it_is "$2"
}

refused_as_it_is() { # MESSAGE
    hm release --rev HEAD --repo stranger --recipe-file recipe.yaml --out release
    expect_code 3
    expect_err_has "$1"
    expect_out_empty
    expect_no_file release
    expect_only . good.yaml recipe.yaml stranger stranger.yaml
    expect_only "$TMPDIR"
}

t 'an unknown key'
refused 's/sources:/sourcs:/' "unknown key 'sourcs' in 'recipe.yaml' line 9 column 5"
expect_err_has 'hint: known keys here: name, kind, arch, min_macos, sources'

t 'a missing key'
refused '/toolchain:/d' "key 'toolchain' is missing in 'recipe.yaml' line 1"

t 'a duplicate key'
refused 's/^version: .*/&\nversion: "8"/' "key 'version' occurs twice in 'recipe.yaml' line 3"

t 'an unknown architecture'
refused 's/arch: arm64/arch: x86_64/' "unknown architecture 'x86_64' in 'recipe.yaml' line 7 column 11"
expect_err_has 'hint: known: arm64, arm64e'

t 'arm64e where it cannot run'
refused 's|kind: dylib|kind: executable|; /install_name/d; s|arch: arm64|arch: arm64e|' "'Stranger.dylib' is an executable for arm64e"
refused 's|"13.0"|"12.0"|; s|arch: arm64|arch: arm64e|' "min_macos '12.0' of 'Stranger.dylib' is too old for arm64e"
refused 's|-O2|-fjump-tables|; s|arch: arm64|arch: arm64e|' "flag '-fjump-tables' of 'Stranger.dylib' is refused"

t 'artifact names that escape, repeat or are taken'
refused 's/name: Stranger.dylib/name: ..\/Stranger.dylib/' "artifact name '../Stranger.dylib' begins with a dot"
refused 's/name: Stranger.dylib/name: a\/b/' "artifact name 'a/b' has a character"
refused 's/name: Stranger.dylib/name: SHA256SUMS/' "artifact name 'SHA256SUMS' is a name that the release itself uses"
{
    cat good.yaml
    sed -n '/^  - name/,$p' good.yaml
} >recipe.yaml
refused_as_it_is "artifact name 'Stranger.dylib' occurs twice in 'recipe.yaml' line"
{
    cat good.yaml
    sed -n '/^  - name/,$p' good.yaml | sed 's/- name: Stranger/- name: STRANGER/'
} >recipe.yaml
refused_as_it_is "artifact names 'Stranger.dylib' and 'STRANGER.dylib' are one where case does not count"

t 'sources that escape or are not there'
refused 's,src/shim.m,/etc/shim.m,' "source '/etc/shim.m' of 'Stranger.dylib' is absolute"
refused 's,src/shim.m,../shim.m,' "source '../shim.m' of 'Stranger.dylib' leaves the tree"
refused 's,src/shim.m,src/../../x.m,' 'is not a plain path inside of the tree'
refused 's,src/shim.m,.git/x.m,' 'is not a plain path inside of the tree'
refused 's,src/shim.m,src/nothing.m,' 'src/nothing.m'

t 'flags that reach outside'
for flag in -fplugin=/tmp/x.so -Wl,-e,x -include/etc/passwd -I/usr/include -I../.. -o/tmp/x \
    -fuse-ld=/bin/sh -isysroot/ -B/tmp -MF/tmp/x -save-temps @/tmp/x; do
    refused "s~-O2~\"$flag\"~" "flag '$flag' of 'Stranger.dylib' is refused ("
    expect_err_has "in 'recipe.yaml' line 12 column 14"
done

t 'bytes that are no plain document'
printf 'name:\tx\n' >recipe.yaml
refused_as_it_is "'recipe.yaml' has a tab in line 1 column 6"
printf 'name: \377\n' >recipe.yaml
refused_as_it_is "'recipe.yaml' has bytes that are not UTF-8 in line 1 column 7"
printf 'name: a\0b\n' >recipe.yaml
refused_as_it_is "'recipe.yaml' has a NUL byte in line 1 column 8"
: >recipe.yaml
refused_as_it_is "'recipe.yaml' is empty"
{
    cat good.yaml
    printf -- '---\nname: x\n'
} >recipe.yaml
refused_as_it_is 'a second document is not allowed'
refused 's/name: Stranger$/name: \&a Stranger/' "an anchor ('&a') is not allowed"
refused 's/name: Stranger$/name: *a/' "an alias ('*a') is not allowed"
head -c 1100000 /dev/zero | tr '\0' '#' >recipe.yaml
refused_as_it_is '1048576'
printf 'name: [' >recipe.yaml
refused_as_it_is "in 'recipe.yaml' line 1"

t 'a recipe in the tree is named by its path there'
sed 's/kind: dylib/kind: library/' good.yaml >stranger/src/hallmark.yaml
commit 'recipe'
hm release --rev HEAD --repo stranger --out release
expect_code 3
expect_err_has "unknown kind 'library' in 'src/hallmark.yaml' line 6 column 11"
expect_no_file release

t 'a policy with a mistake'
cat >stranger/src/policy.yaml <<'END'
rules:
  - id: a
    reason: r
    forbid: {strngs: [x]}
END
sed 's,src/shim.m,shim.m,; s/^toolchain:.*/&\npolicy: policy.yaml/' good.yaml >stranger/src/hallmark.yaml
commit 'policy'
hm release --rev HEAD --repo stranger --out release
expect_code 3
expect_err_has "unknown key 'strngs' in 'src/policy.yaml' line 4 column 14"
expect_err_has 'hint: known keys here: strings, imports, selectors, libraries'
expect_no_file release

t 'a policy that is not there'
git -C stranger rm -q src/policy.yaml
commit 'no policy'
hm release --rev HEAD --repo stranger --out release
expect_code 3
expect_err_has 'src/policy.yaml'
expect_no_file release

finish

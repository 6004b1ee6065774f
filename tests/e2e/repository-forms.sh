#!/usr/bin/env bash
# Every form in which git keeps a repository gives the same bytes as git archive.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

mkrepo origin
mkdir -p origin/sub/deep
for i in $(seq 40); do
    seq "$i" 600 >"origin/sub/f$i"
done
echo deep >origin/sub/deep/x
head -c 3000000 /dev/urandom >origin/large
commit first
(head -c 1000 /dev/urandom && cat origin/large) >origin/larger
commit second
git -C origin tag -a -m note v1
git -C origin archive --prefix=p/ v1 >expected.tar

same() { # REPOSITORY
    rm -f got.tar
    hm archive --repo "$1" --rev v1 --prefix p/ -o got.tar
    expect_code 0
    expect cmp expected.tar got.tar
}

t 'loose objects'
same origin
same origin/sub/deep
same origin/.git

t 'one pack with deltas, also of large files'
cp -r origin packed
git -C packed repack -adfq --window=20
[ "$(cat packed/.git/objects/pack/*.pack | wc -c)" -lt 4000000 ] || fail 'no delta of the large file'
same packed

t 'deltas that name their base by id'
cp -r origin refs
git -C refs -c repack.useDeltaBaseOffset=false repack -adfq --window=20
same refs

t 'packed references, several packs and a multi-pack index'
cp -r origin midx
git -C midx pack-refs --all
git -C midx -c pack.packSizeLimit=1m repack -adfq
git -C midx multi-pack-index write
same midx

t 'a bare repository'
expect git clone -q --bare origin bare.git
same bare.git

t 'objects borrowed from another repository'
expect git clone -q --shared origin shared
same shared

t 'a linked worktree'
expect git -C origin worktree add -q ../linked HEAD~1
same linked

t 'a submodule'
mkrepo super
expect git -C super -c protocol.file.allow=always submodule -q add "$PWD/origin" module
same super/module

t 'neither environment nor settings of the user count'
printf '[core]\n\tautocrlf = true\n[tar]\n\tumask = 077\n' >"$HOME/.gitconfig"
mkrepo other
export GIT_DIR=$PWD/other/.git GIT_CONFIG_GLOBAL=$HOME/.gitconfig
same origin
unset GIT_DIR
export GIT_CONFIG_GLOBAL=/dev/null

finish

#!/usr/bin/env bash
# What a repository can lack: each has its message, exit code 3, a hint, and no output file.
. "${SRCDIR:=$(cd "$(dirname "$0")/../.." && pwd -P)}/tests/lib/e2e.sh" || exit 1

refused() { # REPOSITORY REVISION MESSAGE HINT
    hm archive --repo "$1" --rev "$2" -o out.tar
    expect_code 3
    expect_err_has "$3"
    expect_err_has "hint: $4"
    expect_out_empty
    expect_no_file out.tar
}

mkrepo good
echo one >good/a
commit first
echo two >good/a
commit second
git -C good tag -a -m note v1

t 'no repository'
mkdir "$TMPDIR/none"
refused "$TMPDIR/none" HEAD "'$TMPDIR/none' is not a git repository" 'name a directory'
rmdir "$TMPDIR/none"
refused nowhere HEAD "repository 'nowhere' does not exist" 'name a directory'
refused good/a HEAD "repository 'good/a' is not a directory" 'name a directory'

t 'no such revision'
refused good nope "revision 'nope' does not exist in repository 'good'" "'git tag'"
refused good '' 'the revision is empty' 'name a commit'
refused good HEAD:a "revision 'HEAD:a' in repository 'good' is a blob" 'name a commit'
refused good :a "names the index" 'name a commit'

t 'a revision that begins with a dash is none'
hm archive --repo good --rev=-x -o out.tar
expect_code 3
expect_err_has "revision '-x' begins with '-'"
expect_no_file out.tar

t 'a name that is a tag and a branch'
git -C good branch v1 HEAD~1
refused good v1 "refs/tags/v1 and refs/heads/v1" "write 'refs/tags/v1' or 'refs/heads/v1'"
git -C good branch -q -D v1

t 'no commit yet'
mkrepo unborn
refused unborn HEAD "points to 'refs/heads/main', which has no commit" 'commit something first'

t 'a shallow clone gives what it has, and says what it lacks'
first=$(git -C good rev-parse HEAD~1)
expect git clone -q --depth 1 "file://$PWD/good" shallow
refused shallow "$first" "object $first is missing" 'it is a shallow clone'
hm archive --repo shallow --rev HEAD -o shallow.tar
expect_code 0
expect sh -c 'git -C good archive HEAD | cmp - shallow.tar'

t 'a partial clone names what it lacks'
git -C good config uploadpack.allowFilter true
expect git clone -q --no-checkout --filter=blob:none "file://$PWD/good" partial
refused partial HEAD "object $(git -C good rev-parse HEAD:a) is missing" 'it is a partial clone'

t 'a corrupt loose object'
cp -r good loose
blob=$(git -C good rev-parse HEAD:a)
chmod -R u+w loose/.git/objects
printf 'x' | dd of="loose/.git/objects/${blob:0:2}/${blob:2}" bs=1 seek=6 conv=notrunc status=none
refused loose HEAD "object $blob in " "run 'git fsck' there"
expect_err_has 'is corrupt ('

t 'a missing object'
rm "loose/.git/objects/${blob:0:2}/${blob:2}"
refused loose HEAD "object $blob is missing in repository 'loose'" "run 'git fsck' there"

t 'a pack that is cut short'
cp -r good packed
git -C packed repack -adq
chmod -R u+w packed/.git/objects
for pack in packed/.git/objects/pack/*.pack; do
    head -c 100 "$pack" >"cut"
    cat cut >"$pack"
done
refused packed HEAD 'is corrupt (' "run 'git fsck' there"

t 'object names that are not SHA-1'
expect git init -q --object-format=sha256 sha256
refused sha256 HEAD "repository 'sha256' names its objects by sha256" 'only repositories with SHA-1'

t 'a format from the future'
mkrepo future
git -C future config core.repositoryformatversion 1
git -C future config extensions.frob yes
refused future HEAD "repository 'future' uses extension 'frob'" 'clone it with git'

t 'replaced objects'
cp -r good replaced
git -C replaced replace HEAD HEAD~1
refused replaced HEAD 'is replaced by refs/replace/' 'a revision must mean its own bytes'

finish

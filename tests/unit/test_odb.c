/* Repositories, settings, revisions, commits and trees, compared with git. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "odb_repo.h"

static struct odb *kept; /* keeps libgit2 started */

static int make_fixture(void **state)
{
    if (repo_environment(state) != 0)
        return -1;
    sh("git init -q r; cd r; mkdir -p sub/deep; echo one >a; echo two >sub/deep/b; ln -s a link;"
       "chmod +x sub/deep/b; git add -A; git commit -qm 'first' -m 'body of it';"
       "echo three >a; git commit -qam second; git tag -a -m note v1;"
       "git tag -a -m nested v1-again v1; git tag -a -m tree tree-tag HEAD^{tree};"
       "git tag blob-tag HEAD:a; git branch side HEAD~1; echo four >a; git commit -qam third");
    kept = repo_open("r");
    return 0;
}

static int drop_fixture(void **state)
{
    (void)state;
    odb_free(kept);
    return 0;
}

static char *commit_of(struct odb *odb, const char *revision, struct fail *fail)
{
    own_odb_commit struct odb_commit commit = {0};
    char hex[ODB_ID_HEX];
    if (odb_resolve_commit(&commit, odb, revision, fail) < 0)
        return NULL;
    odb_id_hex(hex, &commit.id);
    return text_copy(hex);
}

/* The revision means what git says. */
static void expect_as_git(const char *path, const char *revision)
{
    own_fail struct fail fail = {0};
    own_odb struct odb *odb = repo_open(path);
    own_mem char *expected =
        sh_text("cd '%s'; id=$(git rev-parse --verify '%s'); git rev-parse --verify $id^{commit}",
                path, revision);
    own_mem char *got = commit_of(odb, revision, &fail);
    if (got == NULL || strcmp(got, expected) != 0)
        fail_msg("'%s' in %s: %s, not %s", revision, path, got ? got : fail.message, expected);
}

static void expect_refused(const char *path, const char *revision, const char *message,
                           const char *hint)
{
    own_fail struct fail fail = {0};
    own_odb struct odb *odb = repo_open(path);
    own_mem char *got = commit_of(odb, revision, &fail);
    if (got != NULL)
        fail_msg("'%s' in %s is %s", revision, path, got);
    expect_failure(&fail, message, hint);
}

static void expect_not_opened(const char *path, const char *message, const char *hint)
{
    own_fail struct fail fail = {0};
    struct odb *odb = NULL;
    assert_int_equal(odb_open(&odb, path, &fail), -1);
    expect_failure(&fail, message, hint);
}

/* ---- repositories ---- */

static void open__every_kind_of_repository(void **state)
{
    (void)state;
    sh("git clone -q --bare r bare.git; git -C r worktree add -q ../tree side;"
       "git init -q super; cd super; git submodule -q add \"$OLDPWD/r\" module 2>/dev/null ||"
       " git submodule -q add ../r module");
    expect_as_git("r", "HEAD");
    expect_as_git("r/sub/deep", "HEAD");
    expect_as_git("r/.git", "HEAD");
    expect_as_git("r/.git/objects", "HEAD");
    expect_as_git("bare.git", "HEAD");
    expect_as_git("tree", "HEAD");
    expect_as_git("super/module", "HEAD");
    own_odb struct odb *bare = repo_open("bare.git");
    own_odb struct odb *tree = repo_open("tree");
    assert_true(odb_is_bare(bare));
    assert_false(odb_is_bare(tree));
    assert_string_equal(odb_repository_path(tree), "tree");
    assert_non_null(strstr(odb_git_dir(tree), "/r/.git/worktrees/tree/"));
    assert_non_null(strstr(odb_common_dir(tree), "/r/.git/"));
    assert_null(strstr(odb_common_dir(tree), "worktrees"));
}

static void open__what_is_no_repository(void **state)
{
    (void)state;
    sh("mkdir -p /tmp; d=$(mktemp -d); echo \"$d\" >outside; mkdir \"$d/empty\"");
    own_mem char *outside = sh_text("cat outside");
    own_mem char *empty = text_printf("%s/empty", outside);
    own_mem char *message = text_printf("'%s' is not a git repository, and in none", empty);
    expect_not_opened(empty, message, "--repo");
    expect_not_opened("nowhere", "repository 'nowhere' does not exist", "--repo");
    expect_not_opened("r/a", "repository 'r/a' is not a directory", "--repo");
    expect_not_opened("", "the path of the repository is empty", NULL);
    sh("rm -rf \"$(cat outside)\"");
}

static void open__formats_that_are_not_supported(void **state)
{
    (void)state;
    sh("git init -q --object-format=sha256 sha256; git init -q v2; git init -q ext; git init -q rt;"
       "git -C v2 config core.repositoryformatversion 2;"
       "git -C ext config core.repositoryformatversion 1; git -C ext config extensions.frob yes;"
       "git -C rt config core.repositoryformatversion 1;"
       "git -C rt config extensions.refStorage reftable; git init -q bad;"
       "echo '[core' >bad/.git/config");
    expect_not_opened("sha256", "repository 'sha256' names its objects by sha256, not SHA-1",
                      "only repositories with SHA-1");
    expect_not_opened("v2", "repository 'v2' has format version '2'; 0 and 1 are supported",
                      "clone it");
    expect_not_opened("ext", "uses extension 'frob' (yes), which is not supported", "clone it");
    expect_not_opened("rt", "uses extension 'refstorage' (reftable)", "clone it");
    expect_not_opened("bad", "cannot read the config of 'bad'", NULL);
}

static void open__nothing_from_outside_counts(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem char *value = NULL;
    sh("git init -q other; mkdir -p home; printf '[core]\\n\\tautocrlf = true\\n' "
       ">home/.gitconfig");
    own_mem char *home = sh_text("cd home; pwd");
    setenv("HOME", home, 1);
    setenv("GIT_DIR", "other/.git", 1);
    setenv("GIT_OBJECT_DIRECTORY", "other/.git/objects", 1);
    setenv("GIT_CONFIG_PARAMETERS", "'core.autocrlf'='true'", 1);
    own_odb struct odb *odb = repo_open("r");
    own_mem char *got = commit_of(odb, "HEAD", &fail);
    assert_int_equal(odb_config_text(&value, odb, "core.autocrlf", &fail), 0);
    unsetenv("GIT_DIR");
    unsetenv("GIT_OBJECT_DIRECTORY");
    unsetenv("GIT_CONFIG_PARAMETERS");
    assert_non_null(got);
    assert_null(value);
}

static int collect(void *context, const char *key, const char *value, struct fail *fail)
{
    (void)fail;
    buf_printf(context, "%s=%s;", key, value);
    return 0;
}

static void config__values(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem char *umask_text = NULL;
    own_buf struct buf filters = {0};
    bool value = false;
    sh("git init -q c; cd c; git config tar.umask 0022; git config filter.Lfs.clean 'x %%f';"
       "git config --add tar.umask user; git config filter.Lfs.required true;"
       "git config core.symlinks maybe; printf '[core]\\n\\tautocrlf\\n' >>.git/config");
    own_odb struct odb *odb = repo_open("c");
    assert_int_equal(odb_config_text(&umask_text, odb, "tar.umask", &fail), 0);
    assert_string_equal(umask_text, "user");
    assert_int_equal(odb_config_bool(&value, odb, "core.autocrlf", false, &fail), 0);
    assert_true(value);
    assert_int_equal(odb_config_each(odb, "filter.", collect, &filters, &fail), 0);
    assert_string_equal(buf_text(&filters), "filter.Lfs.clean=x %f;filter.Lfs.required=true;");
    assert_int_equal(odb_config_bool(&value, odb, "core.symlinks", false, &fail), -1);
    expect_failure(&fail, "'core.symlinks' in the config of 'c' is 'maybe', not true or false",
                   NULL);
}

static void config__worktree_and_include(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_mem char *eol = NULL;
    own_mem char *umask_text = NULL;
    sh("git init -q w; cd w; git config extensions.worktreeConfig true; git config core.eol lf;"
       "git config --worktree core.eol crlf; echo '[tar] umask = 077' >.git/more;"
       "git config include.path more");
    own_odb struct odb *odb = repo_open("w");
    assert_int_equal(odb_config_text(&eol, odb, "core.eol", &fail), 0);
    assert_string_equal(eol, "crlf");
    assert_int_equal(odb_config_text(&umask_text, odb, "tar.umask", &fail), 0);
    assert_string_equal(umask_text, "077");
}

/* ---- revisions ---- */

static void resolve__as_git(void **state)
{
    (void)state;
    static const char *const revisions[] = {
        "HEAD",       "@",        "main",   "side",     "refs/heads/main",
        "heads/main", "tags/v1",  "v1",     "v1-again", "v1^{commit}",
        "v1^{}",      "v1~1",     "HEAD~2", "HEAD^",    "HEAD^1~1",
        "main@{0}",   "main@{1}", "@{0}",   "v1^0"};
    for (size_t i = 0; i < sizeof revisions / sizeof revisions[0]; i++)
        expect_as_git("r", revisions[i]);
    expect_as_git("r", ":/second");
    expect_as_git("r", "HEAD^{/first}");
    own_mem char *full = sh_text("git -C r rev-parse HEAD~1");
    own_mem char *cut = text_printf("%.9s", full);
    own_mem char *parent = text_printf("%.9s^", full);
    own_mem char *described = text_printf("v1-0-g%.9s", full);
    expect_as_git("r", full);
    expect_as_git("r", cut);
    expect_as_git("r", parent);
    expect_as_git("r", described);
    own_mem char *before = text_printf("v1-0-g%.9s~1", full);
    expect_as_git("r", before);
    sh("git -C r pack-refs --all; git -C r repack -adq");
    expect_as_git("r", cut);
    expect_as_git("r", "v1");
}

static void resolve__refusals(void **state)
{
    (void)state;
    expect_refused("r", "nope", "revision 'nope' does not exist in repository 'r'", "git tag");
    expect_refused("r", "nope~1", "revision 'nope~1' does not exist in repository 'r'", NULL);
    expect_refused("r", "v1-1-gzzzz", "does not exist", NULL);
    expect_refused("r", "HEAD~9", "revision 'HEAD~9' does not exist in repository 'r'", NULL);
    expect_refused("r", "", "the revision is empty", "name a commit");
    expect_refused("r", "--help", "revision '--help' begins with '-'", "name a commit");
    expect_refused("r", ":a", "revision ':a' names the index, not a commit", "name a commit");
    expect_refused("r", "HEAD:a", "revision 'HEAD:a' in repository 'r' is a blob, not a commit",
                   "name a commit");
    expect_refused("r", "HEAD^{tree}", "is a tree, not a commit", NULL);
    expect_refused("r", "tree-tag", "'tree-tag' in repository 'r' is a tree, not a commit", NULL);
    expect_refused("r", "blob-tag", "is a blob, not a commit", NULL);
    expect_refused("r", "a b\n..", "does not exist", "git tag");
    expect_refused("r", "HEAD^{", "revision 'HEAD^{' is malformed", "gitrevisions");
    expect_refused("r", "0123456789012345678901234567890123456789",
                   "object 0123456789012345678901234567890123456789 is missing in repository 'r'",
                   "git fsck");
}

static void resolve__ambiguous_names(void **state)
{
    (void)state;
    sh("cp -r r amb; cd amb; git branch v1 side; git branch cafe0 side");
    expect_refused("amb", "v1",
                   "revision 'v1' is ambiguous in repository 'amb': refs/tags/v1 and refs/heads/v1",
                   "write 'refs/tags/v1' or 'refs/heads/v1'");
    expect_refused("amb", "v1~1", "revision 'v1' is ambiguous", NULL);
    expect_as_git("amb", "refs/tags/v1");
    expect_as_git("amb", "refs/heads/v1");
    expect_as_git("amb", "cafe0");
    own_mem char *cut = sh_text("cd amb; cut=$(git rev-parse --short=7 HEAD); git branch $cut side;"
                                "echo $cut");
    own_mem char *message = text_printf("revision '%s' is ambiguous in repository 'amb': "
                                        "refs/heads/%s and object %s",
                                        cut, cut, cut);
    expect_refused("amb", cut, message, "or more digits");
}

/* Blobs until two ids share their first four digits, in a pack and loose. */
static void resolve__ambiguous_ids(void **state)
{
    (void)state;
    sh("git init -q ids; cd ids; seq 900 | while read i; do echo $i >f$i; done;"
       "git add -A; git commit -qm x; git cat-file --batch-all-objects --batch-check |"
       " cut -c 1-4 | uniq -d >../twice; test -s ../twice");
    own_mem char *digits = sh_text("head -n 1 twice");
    own_mem char *ids = sh_text("git -C ids cat-file --batch-all-objects --batch-check | "
                                "sed -n 's/^\\(%s[0-9a-f]*\\) \\([a-z]*\\) .*/\\2 \\1/p' |"
                                "head -n 2 | paste -sd, | sed 's/,/, /'",
                                digits);
    own_mem char *message =
        text_printf("abbreviated id '%s' is ambiguous in repository 'ids': %s", digits, ids);
    expect_refused("ids", digits, message, "write more digits");
    sh("git -C ids repack -adq");
    expect_refused("ids", digits, message, "write more digits");
}

static void resolve__unborn_and_broken(void **state)
{
    (void)state;
    sh("git init -q unborn; git init -q broken; echo garbage >broken/.git/refs/heads/main");
    expect_refused("unborn", "HEAD",
                   "'HEAD' of repository 'unborn' points to 'refs/heads/main', which has no commit",
                   "commit something first");
    expect_refused("broken", "main", "cannot read reference 'refs/heads/main' of 'broken'", NULL);
}

static void resolve__shallow(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb_commit struct odb_commit commit = {0};
    sh("git clone -q --depth 1 \"file://$PWD/r\" shallow");
    expect_as_git("shallow", "HEAD");
    own_mem char *parent = sh_text("git -C r rev-parse HEAD~1");
    expect_refused("shallow", parent, "is missing in repository 'shallow'", "--unshallow");
    expect_refused("shallow", "HEAD~1", "does not exist in repository 'shallow'", "--unshallow");
    own_odb struct odb *odb = repo_open("shallow");
    assert_int_equal(odb_resolve_commit(&commit, odb, "HEAD", &fail), 0);
    assert_true(commit.parents_altered);
    assert_int_equal(commit.parent_count, 1);
}

static void resolve__partial_clone(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb_commit struct odb_commit commit = {0};
    struct odb_entry entry = {0};
    uint64_t len = 0;
    sh("git -C r config uploadpack.allowFilter true;"
       "git clone -q --no-checkout --filter=blob:none \"file://$PWD/r\" partial");
    own_odb struct odb *odb = repo_open("partial");
    assert_int_equal(odb_resolve_commit(&commit, odb, "HEAD", &fail), 0);
    assert_int_equal(odb_tree_find(&entry, odb, &commit.tree, "a", &fail), 1);
    assert_int_equal(odb_blob_len(&len, odb, &entry.id, &fail), -1);
    expect_failure(&fail, "is missing in repository 'partial'", "partial clone: 'git cat-file -e");
}

static void resolve__replaced(void **state)
{
    (void)state;
    sh("cp -r r rep; cd rep; git replace HEAD side; git config core.useReplaceRefs true");
    expect_refused("rep", "main", "is replaced by refs/replace/", "git replace -d");
    expect_refused("rep", "side~0", "follows a history that repository 'rep' alters",
                   "name the commit by its id");
    own_fail struct fail fail = {0};
    own_odb struct odb *before = repo_open("rep");
    own_mem char *side = commit_of(before, "side", &fail);
    assert_non_null(side);
    sh("git -C rep config core.useReplaceRefs false");
    expect_as_git("rep", "main");
}

/* ---- objects ---- */

static void treeish__kinds(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb struct odb *odb = repo_open("r");
    static const struct {
        const char *revision;
        bool has_commit;
    } cases[] = {{"v1", true},        {"HEAD", true},      {"HEAD^{tree}", false},
                 {"HEAD:sub", false}, {"tree-tag", false}, {"v1-again", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_odb_treeish struct odb_treeish treeish = {0};
        char hex[ODB_ID_HEX];
        own_mem char *expected =
            sh_text("cd r; git rev-parse $(git rev-parse '%s')^{tree}", cases[i].revision);
        assert_int_equal(odb_resolve_treeish(&treeish, odb, cases[i].revision, &fail), 0);
        odb_id_hex(hex, &treeish.tree);
        assert_string_equal(hex, expected);
        assert_int_equal(treeish.has_commit, cases[i].has_commit);
    }
    own_odb_treeish struct odb_treeish treeish = {0};
    assert_int_equal(odb_resolve_treeish(&treeish, odb, "blob-tag", &fail), -1);
    expect_failure(&fail, "is a blob, not a commit or tree", NULL);
    assert_int_equal(
        odb_resolve_treeish(&treeish, odb, "4b825dc642cb6eb9a060e54bf8d69288fbee4904", &fail), 0);
}

static void commit__fields(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb_commit struct odb_commit commit = {0};
    own_odb struct odb *odb = repo_open("r");
    assert_int_equal(odb_resolve_commit(&commit, odb, "side", &fail), 0);
    assert_int_equal(commit.committer_time, 1700000000);
    assert_int_equal(commit.committer_offset_min, 120);
    assert_int_equal(commit.author_time, 1600000000);
    assert_int_equal(commit.author_offset_min, -210);
    assert_true(commit.author.valid && commit.committer.valid);
    assert_string_equal(commit.author.name, "A U Thor");
    assert_string_equal(commit.author.email, "author@example.com");
    assert_string_equal(commit.author.zone, "-0330");
    assert_string_equal(commit.committer.name, "C O Mitter");
    assert_string_equal(commit.message, "first\n\nbody of it\n");
    assert_int_equal(commit.message_len, strlen(commit.message));
    assert_int_equal(commit.parent_count, 0);
    assert_false(commit.parents_altered);
    assert_null(commit.encoding);
}

/* Writes a commit object by hand and reads it. */
static int read_commit(struct odb_commit *out, const char *text, struct fail *fail)
{
    own_mem char *tree = sh_text("git -C r rev-parse HEAD^{tree}");
    own_mem char *whole = text_printf("tree %s\n%s", tree, text);
    file_write("object", whole, strlen(whole));
    own_mem char *hex = sh_text("git -C r hash-object -t commit -w --literally ../object");
    own_odb struct odb *odb = repo_open("r");
    return odb_resolve_commit(out, odb, hex, fail);
}

static void commit__unusual(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb_commit struct odb_commit signed_one = {0};
    own_odb_commit struct odb_commit odd = {0};
    assert_int_equal(read_commit(&signed_one,
                                 "author <> 5 +0000\ncommitter C  <c@d> 7 -0100\n"
                                 "gpgsig -----BEGIN\n encoding wrong\n -----END\n"
                                 "encoding ISO-8859-1\n\n\nmessage",
                                 &fail),
                     0);
    assert_string_equal(signed_one.encoding, "ISO-8859-1");
    assert_string_equal(signed_one.message, "\nmessage");
    assert_string_equal(signed_one.committer.name, "C");
    assert_string_equal(signed_one.author.name, "");
    assert_int_equal(signed_one.committer_offset_min, -60);
    assert_int_equal(
        read_commit(&odd, "author A <a@b> <c> 5 +0000\ncommitter C <c@d> 7 -0100\n", &fail), 0);
    assert_false(odd.author.valid);
    assert_string_equal(odd.author.line, "A <a@b> <c> 5 +0000");
    assert_string_equal(odd.message, "");
    assert_int_equal(read_commit(&odd, "author A <a@b> 5 +0000\n\nx\n", &fail), -1);
    expect_failure(&fail, "is malformed (the commit has no committer line", NULL);
    assert_int_equal(
        read_commit(&odd, "author A <a@b> 5 +0000\ncommitter C <c> x +0000\n\n", &fail), -1);
    expect_failure(&fail, "is malformed (the committer line is not", NULL);
}

static void tree__read_and_find(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb_commit struct odb_commit commit = {0};
    own_odb_tree struct odb_tree tree = {0};
    struct odb_entry entry = {0};
    own_odb struct odb *odb = repo_open("r");
    assert_int_equal(odb_resolve_commit(&commit, odb, "HEAD", &fail), 0);
    assert_int_equal(odb_tree_read(&tree, odb, &commit.tree, &fail), 0);
    assert_int_equal(tree.count, 3);
    assert_string_equal(tree.list[0].name, "a");
    assert_string_equal(tree.list[1].name, "link");
    assert_int_equal(tree.list[1].mode, ODB_MODE_LINK);
    assert_int_equal(tree.list[2].mode, ODB_MODE_TREE);
    assert_int_equal(odb_tree_find(&entry, odb, &commit.tree, "sub/deep/b", &fail), 1);
    assert_string_equal(entry.name, "b");
    assert_int_equal(entry.mode, ODB_MODE_EXECUTABLE);
    static const char *const absent[] = {"b",  "sub/de", "sub/deep/bb", "a/b", "",
                                         "/a", "sub/",   "sub//deep",   ".",   "sub/../a"};
    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++)
        assert_int_equal(odb_tree_find(&entry, odb, &commit.tree, absent[i], &fail), 0);
    assert_int_equal(odb_tree_find(&entry, odb, &commit.id, "a", &fail), -1);
    expect_failure(&fail, "is a commit, not a tree", NULL);
}

static void expect_bad_tree(const void *data, size_t len, const char *reason)
{
    own_fail struct fail fail = {0};
    own_odb_tree struct odb_tree tree = {0};
    struct odb_id id;
    file_write("object", data, len);
    own_mem char *hex = sh_text("git -C r hash-object -t tree -w --literally ../object");
    own_odb struct odb *odb = repo_open("r");
    assert_int_equal(odb_id_parse(&id, hex), 0);
    assert_int_equal(odb_tree_read(&tree, odb, &id, &fail), -1);
    expect_failure(&fail, reason, NULL);
}

static void tree__malformed(void **state)
{
    (void)state;
    static const char good_id[] = "AAAAAAAAAAAAAAAAAAAA";
#define TREE(text) text "\0AAAAAAAAAAAAAAAAAAAA"
    expect_bad_tree("100644 a", 8, "is malformed (its last entry is cut short)");
    expect_bad_tree("100644 a\0AAAA", 13, "is malformed (its last entry is cut short)");
    expect_bad_tree(TREE("100648 a"), 29, "is malformed (a mode is no octal number)");
    expect_bad_tree(TREE("10064400 a"), 31, "is malformed (a mode is no octal number)");
    expect_bad_tree(TREE("010644 a"), 29, "is malformed (a mode is unknown)");
    expect_bad_tree(TREE("100644 "), 28, "is malformed (a name is empty)");
    expect_bad_tree(TREE("100644 a/b"), 31, "is malformed (a name contains a slash)");
    expect_bad_tree(good_id, 20, "is malformed (a mode is no octal number)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open__every_kind_of_repository),
        cmocka_unit_test(open__what_is_no_repository),
        cmocka_unit_test(open__formats_that_are_not_supported),
        cmocka_unit_test(open__nothing_from_outside_counts),
        cmocka_unit_test(config__values),
        cmocka_unit_test(config__worktree_and_include),
        cmocka_unit_test(resolve__as_git),
        cmocka_unit_test(resolve__refusals),
        cmocka_unit_test(resolve__ambiguous_names),
        cmocka_unit_test(resolve__ambiguous_ids),
        cmocka_unit_test(resolve__unborn_and_broken),
        cmocka_unit_test(resolve__shallow),
        cmocka_unit_test(resolve__partial_clone),
        cmocka_unit_test(resolve__replaced),
        cmocka_unit_test(treeish__kinds),
        cmocka_unit_test(commit__fields),
        cmocka_unit_test(commit__unusual),
        cmocka_unit_test(tree__read_and_find),
        cmocka_unit_test(tree__malformed),
    };
    return cmocka_run_group_tests(tests, make_fixture, drop_fixture);
}

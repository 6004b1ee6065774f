/* Every way in which git stores a blob, compared with git; damage; memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "odb_repo.h"

/* The sanitizers need memory of their own: there the sizes are small and RSS is not checked. */
#define LARGE_MIB   (SANITIZED ? 20u : 300u)
#define DELTA_MIB   (SANITIZED ? 8u : 52u)
#define RSS_MAX_KIB (48L * 1024)

static uint64_t noise = 88172645463325252u;

static uint64_t next_noise(void)
{
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return noise;
}

/* A file that does not compress. */
static void make_noise(const char *path, size_t mib)
{
    static uint64_t block[1u << 17];
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < mib; i++) {
        for (size_t j = 0; j < sizeof block / sizeof block[0]; j++)
            block[j] = next_noise();
        assert_int_equal(fwrite(block, sizeof block, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
}

/* Text with `lines` lines; the next version changes one line in sixty. */
static void make_text(const char *path, unsigned lines, unsigned version)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (unsigned i = 0; i < lines; i++) {
        bool changed = i % 60 < version;
        fprintf(file, "line %u of the file %08x %u\n", i, i * 2654435761u, changed ? i % 97 : 0);
    }
    assert_int_equal(fclose(file), 0);
}

/* 40 versions of six files, from nothing to 1.1 MB, so that some deltas are large. */
static void make_history(const char *repo)
{
    static const unsigned lines[] = {0, 1, 40, 900, 9000, 26000};
    sh("git init -q %s", repo);
    for (unsigned version = 0; version < 40; version++) {
        for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
            if (lines[i] > 20000 && version % 15 != 0)
                continue;
            own_mem char *path = text_printf("%s/f%u-%u", repo, i, version);
            make_text(path, lines[i], version);
        }
    }
    make_noise("noise", 2);
    sh("mv noise %s/noise; git -C %s add -A; git -C %s commit -qm history", repo, repo, repo);
}

/* Open all the time, so that libgit2 does not start anew for each damaged byte. */
static struct odb *kept;

static int make_fixture(void **state)
{
    if (repo_environment(state) != 0)
        return -1;
    make_history("origin.repo");
    kept = repo_open("origin.repo");
    return 0;
}

static int drop_fixture(void **state)
{
    (void)state;
    odb_free(kept);
    return 0;
}

/* ---- forms ---- */

static void blobs__loose(void **state)
{
    (void)state;
    assert_true(expect_same_blobs("origin.repo") > 100);
}

/* Without names git sorts by size, so that each version becomes a delta of the next. */
static void packed(const char *name, const char *options)
{
    sh("cp -r origin.repo %s; cd %s; git cat-file --batch-all-objects"
       " --batch-check='%%(objectname)' | git pack-objects -q --depth=50 --window=4 %s"
       " .git/objects/pack/pack; git prune-packed -q",
       name, name, options);
    own_mem char *left = sh_text("cd %s; git count-objects", name);
    assert_string_equal(left, "0 objects, 0 kilobytes");
    assert_true(expect_same_blobs(name) > 100);
}

static void blobs__packed_offset_deltas(void **state)
{
    (void)state;
    packed("ofs.repo", "--delta-base-offset");
    own_mem char *deep = sh_text("cd ofs.repo; git verify-pack -v .git/objects/pack/*.idx |"
                                 " sed -n 's/^chain length = \\([0-9]*\\):.*/\\1/p' | tail -n 1");
    assert_true(atoi(deep) >= 30);
}

static void blobs__packed_ref_deltas(void **state)
{
    (void)state;
    packed("ref.repo", "");
}

static void blobs__packed_without_deltas(void **state)
{
    (void)state;
    packed("plain.repo", "--window=0");
}

/* The index may use its 64-bit table for every offset over a limit. */
static void blobs__packed_large_offsets(void **state)
{
    (void)state;
    sh("cp -r ofs.repo wide.repo; cd wide.repo/.git/objects/pack; chmod u+w *;"
       "for p in *.pack; do rm -f ${p%%.pack}.idx ${p%%.pack}.rev;"
       " git index-pack --index-version=2,0x40 $p >/dev/null; done");
    assert_true(expect_same_blobs("wide.repo") > 100);
}

static void blobs__many_packs_and_multi_pack_index(void **state)
{
    (void)state;
    sh("cp -r ofs.repo midx.repo; cd midx.repo; git config pack.packSizeLimit 1m;"
       "git repack -adfq; git multi-pack-index write; test -e .git/objects/pack/multi-pack-index");
    own_mem char *count = sh_text("ls midx.repo/.git/objects/pack/*.pack | wc -l");
    assert_true(atoi(count) > 1);
    assert_true(expect_same_blobs("midx.repo") > 100);
}

/* More packs than are kept open at the same time. */
static void blobs__more_packs_than_descriptors(void **state)
{
    (void)state;
    sh("git init -q eighty.repo; cd eighty.repo; for i in $(seq 80); do"
       " echo $i | git hash-object -w --stdin | git pack-objects -q .git/objects/pack/pack"
       " >/dev/null; git prune-packed -q; done");
    assert_int_equal(expect_same_blobs("eighty.repo"), 80);
}

static void blobs__alternates(void **state)
{
    (void)state;
    sh("git init -q a1; git init -q a2; git init -q a3;"
       "echo one >a1/x; git -C a1 add x; echo two >a2/x; git -C a2 add x;"
       "echo three >a3/x; git -C a3 add x;"
       "printf '# comment\\n\\n../../../a2/.git/objects\\n' >a1/.git/objects/info/alternates;"
       "printf '%%s/origin.repo/.git/objects\\n../../../a3/.git/objects' \"$PWD\""
       " >a2/.git/objects/info/alternates;"
       "echo ../../../a1/.git/objects >a3/.git/objects/info/alternates"); /* a circle */
    assert_true(expect_same_blobs("a1") > 100);
}

static void alternates__too_deep(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    struct odb *odb = NULL;
    sh("for i in 0 1 2 3 4 5 6; do git init -q deep$i;"
       " echo ../../../deep$((i+1))/.git/objects >deep$i/.git/objects/info/alternates; done");
    assert_int_equal(odb_open(&odb, "deep0", &fail), -1);
    expect_failure(&fail, "alternates nest deeper than 5", NULL);
}

static void alternates__missing_is_named(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    sh("git init -q lost; echo /nowhere/objects >lost/.git/objects/info/alternates");
    own_odb struct odb *odb = repo_open("lost");
    struct odb_id id = {{1}};
    uint64_t len = 0;
    assert_int_equal(odb_blob_len(&len, odb, &id, &fail), -1);
    expect_failure(&fail,
                   "object 0100000000000000000000000000000000000000 is missing in "
                   "repository 'lost'",
                   "alternate '/nowhere/objects'");
}

/* A pack that appears after the repository was opened is found. */
static void blobs__repacked_meanwhile(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_buf struct buf text = {0};
    sh("git init -q moving; echo one >moving/x; cd moving; git add x; git commit -qm one");
    own_odb struct odb *odb = repo_open("moving");
    own_mem char *hex = sh_text("cd moving; git rev-parse HEAD:x; git repack -adq");
    struct odb_id id;
    assert_int_equal(odb_id_parse(&id, hex), 0);
    assert_int_equal(odb_blob_read(&text, odb, &id, 100, &fail), 0);
    assert_string_equal(buf_text(&text), "one\n");
}

/* ---- damage ---- */

static int ignore(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)data;
    (void)fail;
    *(uint64_t *)context += len;
    return 0;
}

/* 0 when the blob was read and verified. */
static int try_blob(const char *repo, const char *hex, struct fail *fail)
{
    struct odb_id id;
    uint64_t total = 0;
    own_odb struct odb *odb = NULL;
    assert_int_equal(odb_id_parse(&id, hex), 0);
    if (odb_open(&odb, repo, fail) < 0)
        return -1;
    return odb_blob_stream(odb, &id, ignore, &total, fail);
}

/* Damages each byte of a file in turn; no damage may go unnoticed, except `harmless` ones. */
static size_t damage_each_byte(const char *repo, const char *hex, const char *path)
{
    own_buf struct buf whole = {0};
    size_t unnoticed = 0;
    file_read(&whole, path);
    for (size_t i = 0; i < whole.len; i++) {
        own_fail struct fail fail = {0};
        whole.data[i] ^= 0x41;
        file_write(path, whole.data, whole.len);
        if (try_blob(repo, hex, &fail) == 0)
            unnoticed++;
        else if (fail.code != FAIL_INPUT)
            fail_msg("byte %zu: code %d: %s", i, fail.code, fail.message);
        whole.data[i] ^= 0x41;
    }
    for (size_t len = 0; len < whole.len; len++) {
        own_fail struct fail fail = {0};
        file_write(path, whole.data, len);
        assert_int_equal(try_blob(repo, hex, &fail), -1);
        assert_int_equal(fail.code, FAIL_INPUT);
    }
    file_write(path, whole.data, whole.len);
    return unnoticed;
}

static void damage__loose(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    sh("git init -q dl; cd dl; seq 40 >x; git add x; chmod -R u+w .git/objects");
    own_mem char *hex = sh_text("cd dl; git rev-parse :x");
    own_mem char *path = text_printf("dl/.git/objects/%.2s/%s", hex, hex + 2);
    assert_int_equal(damage_each_byte("dl", hex, path), 0);
    file_write(path, "", 0);
    assert_int_equal(try_blob("dl", hex, &fail), -1);
    own_mem char *message = text_printf("object %s in '", hex);
    assert_non_null(strstr(fail.message, message));
    expect_failure(&fail, "is corrupt (its file is empty)", "git fsck");
    sh("rm %s; mkdir %s", path, path);
    assert_int_equal(try_blob("dl", hex, &fail), -1);
    expect_failure(&fail, "is corrupt (it is not a regular file)", "git fsck");
}

/* Content of another object under this name: only the SHA-1 tells. */
static void damage__swapped(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    sh("git init -q sw; cd sw; echo a >x; echo b >y; git add x y; chmod -R u+w .git/objects");
    own_mem char *x = sh_text("git -C sw rev-parse :x");
    own_mem char *y = sh_text("git -C sw rev-parse :y");
    sh("cd sw/.git/objects; cp %.2s/%s %.2s/%s", x, x + 2, y, y + 2);
    assert_int_equal(try_blob("sw", y, &fail), -1);
    expect_failure(&fail, "is corrupt (its SHA-1 is another one)", "git fsck");
    assert_int_equal(try_blob("sw", x, &fail), 0);
}

static void damage__packed(void **state)
{
    (void)state;
    sh("git init -q dp; cd dp; for i in 1 2 3; do (seq 60; echo $i) >x$i; done; git add .;"
       "git commit -qm x; git repack -adfq; chmod -R u+w .git/objects");
    own_mem char *hex = sh_text("cd dp; git verify-pack -v .git/objects/pack/*.idx |"
                                " awk '$2 == \"blob\" && NF == 7 { print $1; exit }'");
    own_mem char *pack = sh_text("ls dp/.git/objects/pack/*.pack");
    own_mem char *index = sh_text("ls dp/.git/objects/pack/*.idx");
    assert_int_equal(strlen(hex), 40); /* a delta */
    /* The other objects of the pack and their entries in the index do not matter. */
    size_t unnoticed = damage_each_byte("dp", hex, pack);
    assert_true(unnoticed > 0 && unnoticed < 350);
    unnoticed = damage_each_byte("dp", hex, index);
    assert_true(unnoticed > 0);
}

static void damage__index_of_old_version(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    sh("cp -r dp v1.repo; cd v1.repo/.git/objects/pack; for p in *.pack; do rm -f *.idx *.rev;"
       " git index-pack --index-version=1 $p >/dev/null; done");
    assert_int_equal(try_blob("v1.repo", "0100000000000000000000000000000000000000", &fail), -1);
    expect_failure(&fail, "is not of version 2", "git index-pack");
}

static void damage__index_missing(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    sh("cp -r dp noidx.repo; rm -f noidx.repo/.git/objects/pack/*.idx");
    assert_int_equal(try_blob("noidx.repo", "0100000000000000000000000000000000000000", &fail), -1);
    expect_failure(&fail, "is missing in repository 'noidx.repo'", "has no index");
}

static int refuse(void *context, const void *data, size_t len, struct fail *fail)
{
    (void)context;
    (void)data;
    (void)len;
    return fail_set(fail, FAIL_INPUT, "the sink is full");
}

static void sink__failure_is_passed_on(void **state)
{
    (void)state;
    own_fail struct fail fail = {0};
    own_odb struct odb *odb = repo_open("sw");
    own_mem char *x = sh_text("git -C sw rev-parse :x");
    struct odb_id id;
    assert_int_equal(odb_id_parse(&id, x), 0);
    assert_int_equal(odb_blob_stream(odb, &id, refuse, NULL, &fail), -1);
    assert_string_equal(fail.message, "the sink is full");
}

/* ---- memory ---- */

/* Streams a blob in a child; its exit status says whether length and memory were right. */
static void expect_bounded(const char *repo, const char *hex, uint64_t len)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        own_fail struct fail fail = {0};
        struct odb *odb = NULL;
        struct odb_id id;
        struct rusage usage;
        uint64_t total = 0;
        if (odb_open(&odb, repo, &fail) < 0 || odb_id_parse(&id, hex) < 0 ||
            odb_blob_stream(odb, &id, ignore, &total, &fail) < 0) {
            fail_print(&fail, "stream", stderr);
            _exit(1);
        }
        if (total != len || getrusage(RUSAGE_SELF, &usage) != 0)
            _exit(2);
        fprintf(stderr, "%s: max RSS %ld KiB for %llu bytes\n", repo, usage.ru_maxrss,
                (unsigned long long)len);
        _exit(!SANITIZED && usage.ru_maxrss > RSS_MAX_KIB ? 3 : 0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void memory__large_blob(void **state)
{
    (void)state;
    uint64_t len = (uint64_t)LARGE_MIB << 20;
    make_noise("large", LARGE_MIB);
    sh("git init -q big-loose; git init -q big-packed; git init -q big-repacked");
    own_mem char *hex = sh_text("git -C big-loose -c core.compression=0 hash-object -w ../large");
    own_mem char *loose = text_printf("big-loose/.git/objects/%.2s/%s", hex, hex + 2);
    assert_int_equal(access(loose, R_OK), 0);
    expect_bounded("big-loose", hex, len);
    sh("cd big-packed; git -c core.compression=0 -c core.bigFileThreshold=1m hash-object -w"
       " ../large; test -e .git/objects/pack/*.pack");
    expect_bounded("big-packed", hex, len);
    sh("rm large; cd big-loose; echo %s | git -c core.bigFileThreshold=1g -c core.compression=0"
       " pack-objects -q .git/objects/pack/pack; rm -rf .git/objects/%.2s",
       hex, hex);
    expect_bounded("big-loose", hex, len);
    sh("rm -rf big-*");
}

static void memory__large_deltas(void **state)
{
    (void)state;
    uint64_t len = (uint64_t)DELTA_MIB << 20;
    make_noise("delta.1", DELTA_MIB);
    make_noise("delta.tail", 1);
    sh("git init -q deltas; cp delta.1 delta.2; cp delta.1 delta.3;"
       "dd if=delta.tail of=delta.2 bs=1M seek=3 conv=notrunc status=none;"
       "dd if=delta.2 of=delta.3 bs=1M count=4 conv=notrunc status=none;"
       "dd if=delta.tail of=delta.3 bs=1M seek=5 conv=notrunc status=none; cd deltas;"
       "git -c core.compression=0 hash-object -w ../delta.1 ../delta.2 ../delta.3 >ids;"
       "git -c core.compression=0 -c core.bigFileThreshold=1g pack-objects -q --window=3 --depth=3"
       " .git/objects/pack/pack <ids >/dev/null; git prune-packed -q; rm ../delta.*");
    own_mem char *ids = sh_text("cat deltas/ids");
    own_mem char *packed_len = sh_text("cat deltas/.git/objects/pack/*.pack | wc -c");
    assert_true((uint64_t)atoll(packed_len) < len * 3 / 2); /* so there are deltas */
    char *rest = NULL;
    for (char *hex = strtok_r(ids, "\n", &rest); hex != NULL; hex = strtok_r(NULL, "\n", &rest))
        expect_bounded("deltas", hex, len);
    sh("rm -rf deltas");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blobs__loose),
        cmocka_unit_test(blobs__packed_offset_deltas),
        cmocka_unit_test(blobs__packed_ref_deltas),
        cmocka_unit_test(blobs__packed_without_deltas),
        cmocka_unit_test(blobs__packed_large_offsets),
        cmocka_unit_test(blobs__many_packs_and_multi_pack_index),
        cmocka_unit_test(blobs__more_packs_than_descriptors),
        cmocka_unit_test(blobs__alternates),
        cmocka_unit_test(alternates__too_deep),
        cmocka_unit_test(alternates__missing_is_named),
        cmocka_unit_test(blobs__repacked_meanwhile),
        cmocka_unit_test(damage__loose),
        cmocka_unit_test(damage__swapped),
        cmocka_unit_test(damage__packed),
        cmocka_unit_test(damage__index_of_old_version),
        cmocka_unit_test(damage__index_missing),
        cmocka_unit_test(sink__failure_is_passed_on),
        cmocka_unit_test(memory__large_blob),
        cmocka_unit_test(memory__large_deltas),
    };
    return cmocka_run_group_tests(tests, make_fixture, drop_fixture);
}

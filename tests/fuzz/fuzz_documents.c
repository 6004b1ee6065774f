/*
 * The documents that a release directory brings along: SHA256SUMS, provenance.intoto.json,
 * observed.json, and a compiler's dependency file. What was read must print the same when it is
 * read again.
 */
#include <stdlib.h>
#include <string.h>

#include "format/depfile.h"
#include "format/observed.h"
#include "format/provenance.h"
#include "format/sums.h"
#include "fuzz/fuzz.h"

static void try_provenance(struct view view)
{
    own_provenance struct provenance record = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf first = {0}, second = {0}, text = {0};
    if (intoto_parse(&record, view, "p", &fail) < 0)
        return;
    intoto_print(&first, &record);
    provmd_print(&text, &record);
    own_provenance struct provenance again = {0};
    own_fail struct fail no_fail = {0};
    if (intoto_parse(&again, (struct view){first.data, first.len}, "p", &no_fail) < 0)
        abort();
    intoto_print(&second, &again);
    if (first.len != second.len || memcmp(first.data, second.data, first.len) != 0)
        abort();
}

static void try_sums(struct view view)
{
    own_sums struct sums sums = {0}, again = {0};
    own_fail struct fail fail = {0}, no_fail = {0};
    own_buf struct buf text = {0};
    if (sums_parse(&sums, view, "s", &fail) < 0)
        return;
    sums_print(&text, &sums);
    if (sums_parse(&again, (struct view){text.data, text.len}, "s", &no_fail) < 0 ||
        again.count != sums.count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct view view = {data, size};
    own_findings struct findings findings = {0};
    own_prov_list struct prov_list paths = {0};
    own_mem char *text = mem_copy(data, size);
    try_provenance(view);
    try_sums(view);
    observed_check(&findings, "o", view, "");
    if (depfile_parse(&paths, text, size) < 0 && paths.count != 0)
        abort();
    return 0;
}

/* A record with something in every place. */
static void print_record(struct buf *out)
{
    own_provenance struct provenance record = {.format = PROVENANCE_FORMAT, .epoch = 1};
    char **texts[] = {&record.name,           &record.version,      &record.commit,
                      &record.tree,           &record.commit_time,  &record.toolchain,
                      &record.family,         &record.compiler,     &record.linker,
                      &record.linker_version, &record.sdk_path,     &record.sdk_version,
                      &record.sdk_sha256,     &record.archive_name, &record.archive_prefix,
                      &record.archive_sha256, &record.tar_sha256,   &record.recipe.path,
                      &record.recipe.sha256,  &record.recipe.text,  &record.pin.path,
                      &record.pin.sha256,     &record.pin.text,     &record.compiler_version};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = text_printf("text %zu", i);
    struct prov_artifact *artifact = provenance_add_artifact(&record);
    char **more[] = {&artifact->name,       &artifact->kind,       &artifact->sha256,
                     &artifact->arch,       &artifact->cpusubtype, &artifact->min_macos,
                     &artifact->sdk,        &artifact->linker,     &artifact->signature,
                     &artifact->identifier, &artifact->sign_flags, &artifact->cdhash};
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        *more[i] = text_printf("fact %zu", i);
    prov_list_add(&artifact->libraries, "/usr/lib/libSystem.B.dylib");
    prov_list_add(&record.environment, "LC_ALL=C");
    prov_files_add(&record.sources, "a.m", 1, "0");
    intoto_print(out, &record);
}

size_t fuzz_seed(size_t number, uint8_t *out, size_t size)
{
    own_buf struct buf text = {0};
    own_json json_t *object = js_object();
    switch (number) {
    case 0:
        buf_puts(&text, "1111111111111111111111111111111111111111111111111111111111111111  a\n");
        break;
    case 1:
        observed_seal(&text, object, "");
        break;
    case 2:
        buf_puts(&text, "../obj/x.o: src/a.m b\\ c.h \\\n  d.h\n");
        break;
    case 3:
        print_record(&text);
        break;
    default:
        return 0;
    }
    if (text.len > size)
        return 0;
    memcpy(out, text.data, text.len);
    return text.len;
}

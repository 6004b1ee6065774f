#include "config/policy_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/own.h"
#include "base/utf8.h"
#include "port/match.h"

enum { UTF8, UTF16LE, UTF16BE, ENCODINGS };

static const char *const encoding_name[ENCODINGS] = {"UTF-8", "UTF-16LE", "UTF-16BE"};

struct search {
    struct findings *findings;
    const struct policy_rule *rule;
    const char *artifact;
    const struct image *image;
    struct buf *encoded;   /* ENCODINGS for each string */
    struct view *patterns; /* the same as views; empty: the same bytes as another encoding */
    uint64_t *seen;        /* how often each pattern occurred */
};

static void put_unit(struct buf *out, uint32_t unit, bool big)
{
    uint8_t bytes[2] = {(uint8_t)(big ? unit >> 8 : unit), (uint8_t)(big ? unit : unit >> 8)};
    buf_append(out, bytes, sizeof(bytes));
}

/* Of a text that docbytes_check() has let through. */
static void encode_utf16(struct buf *out, const char *text, bool big)
{
    const uint8_t *at = (const uint8_t *)text;
    const uint8_t *end = at + strlen(text);
    uint32_t code = 0;
    for (size_t len = 0; (len = utf8_decode(&code, at, (uint64_t)(end - at))) != 0; at += len) {
        if (code < 0x10000) {
            put_unit(out, code, big);
            continue;
        }
        put_unit(out, 0xd800 + ((code - 0x10000) >> 10), big);
        put_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff), big);
    }
}

static void search_start(struct search *search)
{
    size_t count = search->rule->forbid.strings_count;
    search->encoded = mem_new(count * ENCODINGS, sizeof(*search->encoded));
    search->patterns = mem_new(count * ENCODINGS, sizeof(*search->patterns));
    search->seen = mem_new(count * ENCODINGS, sizeof(*search->seen));
    for (size_t i = 0; i < count; i++) {
        const char *text = search->rule->forbid.strings[i];
        struct buf *encoded = &search->encoded[i * ENCODINGS];
        buf_puts(&encoded[UTF8], text);
        encode_utf16(&encoded[UTF16LE], text, false);
        encode_utf16(&encoded[UTF16BE], text, true);
        for (size_t j = 0; j < ENCODINGS; j++)
            search->patterns[i * ENCODINGS + j] = (struct view){encoded[j].data, encoded[j].len};
    }
}

static void search_release(struct search *search)
{
    for (size_t i = 0; i < search->rule->forbid.strings_count * ENCODINGS; i++)
        buf_release(&search->encoded[i]);
    free(search->encoded);
    free(search->patterns);
    free(search->seen);
}

static bool found(void *context, size_t pattern, uint64_t offset)
{
    struct search *search = context;
    if (++search->seen[pattern] > POLICY_TEXT_SHOWN)
        return true;
    const char *text = search->rule->forbid.strings[pattern / ENCODINGS];
    char place[IMAGE_PLACE_MAX] = "";
    if (search->image != NULL)
        image_locate_offset(place, search->image, offset);
    struct finding *finding = finding_add(search->findings, FINDING_ERROR, "policy.string");
    finding_place(finding, "%s: rule %s, offset %" PRIu64 "%s%s", search->artifact,
                  search->rule->id, offset, place[0] == '\0' ? "" : ", ", place);
    finding_expected(finding, "'%s' nowhere in the bytes (%s)", text, search->rule->reason);
    finding_actual(finding, "'%s' as %s", text, encoding_name[pattern % ENCODINGS]);
    finding_remedy(finding, "build the artifact without it, or change the rule");
    return true;
}

static void report_more(struct search *search)
{
    for (size_t i = 0; i < search->rule->forbid.strings_count * ENCODINGS; i++) {
        if (search->seen[i] <= POLICY_TEXT_SHOWN)
            continue;
        const char *text = search->rule->forbid.strings[i / ENCODINGS];
        struct finding *finding = finding_add(search->findings, FINDING_ERROR, "policy.string");
        finding_place(finding, "%s: rule %s, further offsets", search->artifact, search->rule->id);
        finding_expected(finding, "'%s' nowhere in the bytes (%s)", text, search->rule->reason);
        finding_actual(finding, "'%s' as %s %" PRIu64 " more times", text,
                       encoding_name[i % ENCODINGS], search->seen[i] - POLICY_TEXT_SHOWN);
        finding_remedy(finding, "build the artifact without it, or change the rule");
    }
}

void policy_text_check(struct findings *findings, const struct policy_rule *rule,
                       const char *artifact, struct view file, const struct image *image)
{
    __attribute__((cleanup(search_release))) struct search search = {
        .findings = findings, .rule = rule, .artifact = artifact, .image = image};
    search_start(&search);
    match_all(file, search.patterns, rule->forbid.strings_count * ENCODINGS, found, &search);
    report_more(&search);
}

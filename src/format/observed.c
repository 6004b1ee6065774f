#include "format/observed.h"

#include <string.h>

#include "port/digest.h"

static void digest_of(char out[SHA256_HEX], const json_t *object)
{
    own_buf struct buf text = {0};
    js_print(&text, object);
    digest_sha256_hex(out, text.data, text.len);
}

void observed_seal(struct buf *out, json_t *object, const char *sums_sha256)
{
    char digest[SHA256_HEX];
    js_set(object, "sums", js_text(sums_sha256));
    digest_of(digest, object);
    js_set(object, "sha256", js_text(digest));
    js_print(out, object);
}

void observed_check(struct findings *findings, const char *place, struct view text,
                    const char *sums_sha256)
{
    own_fail struct fail fail = {0};
    own_json json_t *object = NULL;
    const char *stated = NULL;
    if (js_parse(&object, text, place, &fail) == 0)
        stated = js_get_text(object, "sha256");
    if (stated == NULL) {
        finding_error(findings, "observed.malformed", place, "a JSON object with its own 'sha256'",
                      fail.message != NULL ? fail.message : "something else");
        return;
    }
    own_mem char *kept = text_copy(stated);
    own_buf struct buf printed = {0};
    js_print(&printed, object);
    char digest[SHA256_HEX];
    json_object_del(object, "sha256");
    digest_of(digest, object);
    bool canonical = printed.len == text.len && memcmp(printed.data, text.data, printed.len) == 0;
    if (!canonical || strcmp(digest, kept) != 0)
        finding_error(findings, "observed.checksum", place, kept,
                      canonical ? digest : "a document that is not printed as hallmark prints it");
    const char *subject = js_get_text(object, "sums");
    if (*sums_sha256 == '\0')
        return; /* sums that cannot be read are a finding already */
    if (subject == NULL || strcmp(subject, sums_sha256) != 0)
        finding_error(findings, "observed.subject", place, sums_sha256,
                      subject == NULL ? "no 'sums'" : subject);
}

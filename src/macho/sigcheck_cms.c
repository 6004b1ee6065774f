#include <inttypes.h>
#include <string.h>

#include "macho/plist.h"
#include "macho/sigcheck_parts.h"
#include "port/cms.h"

#define RESIGNED                                                                              \
    "the CodeDirectory was changed after it was signed, or the signature is another file's: " \
    "get the file from its source again"
#define CDHASHES "cdhashes"

/* One CMS signature under judgement. */
struct judge {
    const struct sigcheck *check;
    const struct cms *cms;
    const struct cms_signer *signer;
    uint64_t at; /* of the CMS in the file */
};

static struct finding *add(const struct judge *judge, enum finding_level level, const char *id,
                           const char *what)
{
    return sigcheck_add(judge->check, level, id, judge->at, "%sCMS signature", what);
}

static void add_verdict(const struct judge *judge, const char *id, const char *what,
                        const struct cms_verdict *verdict, const char *remedy)
{
    if (verdict->kind == CMS_GOOD)
        return;
    struct finding *finding = add(judge, FINDING_ERROR, id, what);
    finding_expected(finding, "%s", verdict->expected);
    finding_actual(finding, "%s", verdict->actual);
    finding_remedy(finding, "%s", remedy);
}

static void check_shape(const struct judge *judge)
{
    const struct cms *cms = judge->cms;
    if (cms->padding != 0) {
        struct finding *finding =
            add(judge, FINDING_ERROR, "sig.cms-structure", "bytes behind the ");
        finding_expected(finding, "the end of the blob");
        finding_actual(finding, "%" PRIu64 " more bytes", cms->padding);
    }
    if (cms->has_content) {
        struct finding *finding = add(judge, FINDING_ERROR, "sig.cms-structure", "content of the ");
        finding_expected(finding, "none: the CodeDirectory is what is signed");
        finding_actual(finding, "%zu bytes", cms->content.len);
    }
    if (cms->signer_count != 1) {
        struct finding *finding = add(judge, FINDING_ERROR, "sig.cms-structure", "signers of the ");
        finding_expected(finding, "one");
        finding_actual(finding, "%zu", cms->signer_count);
    }
}

static void check_signature(const struct judge *judge)
{
    own_cms_verdict struct cms_verdict verdict = {0};
    const struct codesig_blob *blob = codesig_find(judge->check->sig, CODESIG_SLOT_DIRECTORY);
    if (blob == NULL || blob->bytes.len == 0)
        return; /* a finding already */
    cms_check_signature(&verdict, judge->cms, judge->signer, blob->bytes);
    add_verdict(judge,
                verdict.kind == CMS_BAD_STRUCTURE ? "sig.cms-structure" : "sig.cms-signature", "",
                &verdict, RESIGNED);
}

static void add_cdhash(const struct judge *judge, const char *expected, const char *actual)
{
    struct finding *finding = add(judge, FINDING_ERROR, "sig.cms-cdhash", "cdhashes in the ");
    finding_expected(finding, "%s", expected);
    finding_actual(finding, "%s", actual);
    finding_remedy(finding, "%s", RESIGNED);
}

static void put_cdhash(struct buf *out, const uint8_t *data, size_t len)
{
    char text[CDHASH_HEX] = "";
    if (out->len > 0)
        buf_puts(out, ", ");
    if (len == CDHASH_LEN)
        text_hex(text, data, len);
    buf_printf(out, len == CDHASH_LEN ? "%s" : "%s%zu bytes", text, len);
}

/* The texts of the list's values, or false when it is not an array of data. */
static bool put_list(struct buf *out, const struct plist *list)
{
    const struct plist_node *array = plist_get(list, CDHASHES);
    if (array == NULL || array->type != PLIST_ARRAY)
        return false;
    for (size_t i = array->first; i != PLIST_NONE; i = list->nodes[i].next) {
        const struct plist_node *node = &list->nodes[i];
        if (node->type != PLIST_DATA)
            return false;
        put_cdhash(out, (const uint8_t *)node->bytes, node->len);
    }
    return true;
}

/* Attribute 9.1: the cdhashes of all CodeDirectories, in their order. */
static void check_cdhash_list(const struct judge *judge)
{
    own_plist struct plist list = {0};
    own_fail struct fail fail = {0};
    own_buf struct buf expected = {0};
    own_buf struct buf actual = {0};
    const struct codesig *sig = judge->check->sig;
    if (judge->signer->cdhash_list.len == 0)
        return;
    if (plist_parse(&list, judge->signer->cdhash_list, &fail) < 0) {
        add_cdhash(judge, "a property list", fail.message);
        return;
    }
    if (!put_list(&actual, &list)) {
        add_cdhash(judge, "a property list with an array of data named " CDHASHES, "another one");
        return;
    }
    for (size_t i = 0; i < sig->directory_count; i++)
        put_cdhash(&expected, sig->directories[i].cdhash, CDHASH_LEN);
    if (strcmp(buf_text(&expected), buf_text(&actual)) != 0)
        add_cdhash(judge, buf_text(&expected), actual.len == 0 ? "none" : buf_text(&actual));
}

static const char *digest_name(uint8_t hash_type)
{
    return hash_type == CODESIG_HASH_SHA256_TRUNCATED ? codesig_hash_name(CODESIG_HASH_SHA256)
                                                      : codesig_hash_name(hash_type);
}

/* The digest of a CodeDirectory, in full, or for a truncated hash type as that has it. */
static bool is_digest(const struct cms_hash *hash, const struct codesig_directory *directory)
{
    uint8_t digest[DIGEST_MAX] = {0};
    uint8_t type = directory->hash_type;
    if (strcmp(hash->algorithm, digest_name(type)) != 0)
        return false;
    if (type == CODESIG_HASH_SHA256_TRUNCATED && hash->digest.len == SHA256_LEN)
        type = CODESIG_HASH_SHA256;
    codesig_hash_bytes(digest, type, directory->bytes);
    return hash->digest.len == codesig_hash_len(type) &&
           memcmp(hash->digest.data, digest, (size_t)hash->digest.len) == 0;
}

/* Attribute 9.2: one whole digest for each CodeDirectory, in any order. */
static void check_cdhash_set(const struct judge *judge)
{
    const struct codesig *sig = judge->check->sig;
    const struct cms_signer *signer = judge->signer;
    if (!signer->has_hashes)
        return;
    for (size_t i = 0; i < sig->directory_count; i++) {
        size_t found = 0;
        for (size_t k = 0; k < signer->hash_count; k++)
            found += is_digest(&signer->hashes[k], &sig->directories[i]);
        if (found == 1)
            continue;
        own_mem char *expected =
            text_printf("the %s digest of the CodeDirectory in slot 0x%" PRIx32 ", once",
                        digest_name(sig->directories[i].hash_type), sig->directories[i].slot);
        own_mem char *actual =
            text_printf("%zu times among %zu digests", found, signer->hash_count);
        add_cdhash(judge, expected, actual);
    }
    if (signer->hash_count == sig->directory_count)
        return;
    own_mem char *expected = text_printf("%zu digests", sig->directory_count);
    own_mem char *actual = text_printf("%zu", signer->hash_count);
    add_cdhash(judge, expected, actual);
}

/* The CMS signs the first CodeDirectory; the cdhashes bind the others to it. */
static void check_cdhashes(const struct judge *judge)
{
    const struct cms_signer *signer = judge->signer;
    check_cdhash_list(judge);
    check_cdhash_set(judge);
    if (judge->check->sig->directory_count > 1 && signer->cdhash_list.len == 0 &&
        !signer->has_hashes)
        add_cdhash(judge, "a list that binds the alternate CodeDirectories to the signature",
                   "none");
}

static const char *problem_id(const struct cms_problem *problem)
{
    return problem->kind == CMS_NOT_VALID ? "sig.cms-validity" : "sig.cms-chain";
}

static void add_problem(const struct judge *judge, const char *id, const char *of,
                        const struct cms_problem *problem)
{
    own_mem char *what =
        problem->certificate == NULL
            ? text_printf("chain of the %s", of)
            : text_printf("certificate '%s' of the %s", problem->certificate->common_name, of);
    struct finding *finding = add(judge, FINDING_ERROR, id, what);
    finding_expected(finding, "%s", problem->expected);
    finding_actual(finding, "%s", problem->actual);
    if (problem->kind == CMS_UNTRUSTED)
        finding_remedy(finding, "if you trust the issuer, give its certificate with --trust");
}

/* Whether the timestamp proves its time. */
static bool check_timestamp(const struct judge *judge)
{
    static const char of[] = "timestamp of the ";
    own_cms_verdict struct cms_verdict verdict = {0};
    own_cms_chain struct cms_chain chain = {0};
    const struct cms_timestamp *timestamp = judge->signer->timestamp;
    cms_check_timestamp(&verdict, judge->signer);
    add_verdict(judge, "sig.cms-timestamp", of, &verdict,
                "the timestamp was changed, or is another signature's: get the file from its "
                "source again");
    if (timestamp->token.signer_count != 1)
        return false;
    cms_check_chain(&chain, &timestamp->token, &timestamp->token.signers[0], CMS_TIMESTAMPING,
                    judge->check->options->trust, &timestamp->time);
    for (size_t i = 0; i < chain.problem_count; i++)
        add_problem(judge, "sig.cms-timestamp", of, &chain.problems[i]);
    return verdict.kind == CMS_GOOD && chain.problem_count == 0;
}

static void add_no_timestamp(const struct judge *judge)
{
    char time[CMS_TIME_MAX];
    const struct cms_signer *signer = judge->signer;
    struct finding *finding = add(judge, FINDING_WARNING, "sig.cms-timestamp", "time of the ");
    finding_expected(finding, "a timestamp, which proves that the certificates were valid");
    if (signer->has_signing_time) {
        cms_time_text(time, signer->signing_time);
        finding_actual(finding, "%s, which the signer alone says", time);
    } else {
        finding_actual(finding, "no time at all: validity was not judged");
    }
    finding_remedy(finding, "sign with a timestamp");
}

/* When the file was signed: proven, else claimed, else unknown (NULL). */
static const int64_t *find_time(const struct judge *judge)
{
    const struct cms_signer *signer = judge->signer;
    if (signer->timestamp_failure != NULL) {
        struct finding *finding =
            add(judge, FINDING_ERROR, "sig.cms-timestamp", "timestamp of the ");
        finding_expected(finding, "an RFC 3161 timestamp");
        finding_actual(finding, "%s", signer->timestamp_failure);
    } else if (signer->timestamp == NULL) {
        add_no_timestamp(judge);
    } else if (check_timestamp(judge)) {
        return &signer->timestamp->time;
    }
    return signer->has_signing_time ? &signer->signing_time : NULL;
}

static void add_no_certificate(const struct judge *judge)
{
    const struct cms_signer *signer = judge->signer;
    struct finding *finding = add(judge, FINDING_ERROR, "sig.cms-chain", "certificates of the ");
    if (signer->key_identifier != NULL)
        finding_expected(finding, "one with the key identifier %s", signer->key_identifier);
    else
        finding_expected(finding, "one with the serial number %s by '%s'", signer->serial,
                         signer->issuer);
    finding_actual(finding, "%zu others", judge->cms->certificate_count);
}

/* Ten capital letters and digits. */
static bool is_team(const char *unit)
{
    return strlen(unit) == 10 && strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == 10;
}

/* The unit of a developer's certificate is the team. (In Apple's own it is "Apple Software".) */
static void check_team(const struct judge *judge)
{
    const char *unit = judge->signer->certificate->unit;
    const struct codesig *sig = judge->check->sig;
    for (size_t i = 0; unit != NULL && is_team(unit) && i < sig->directory_count; i++) {
        const char *team = sig->directories[i].team;
        if (team == NULL || strcmp(team, unit) == 0)
            continue;
        struct finding *finding = add(judge, FINDING_ERROR, "sig.team", "certificate of the ");
        finding_expected(finding, "the team of the CodeDirectory, %s", team);
        finding_actual(finding, "%s", unit);
    }
}

static void check_signer(const struct judge *judge)
{
    own_cms_chain struct cms_chain chain = {0};
    check_cdhashes(judge);
    if (judge->signer->certificate == NULL) {
        add_no_certificate(judge);
        return;
    }
    check_signature(judge);
    cms_check_chain(&chain, judge->cms, judge->signer, CMS_CODE_SIGNING,
                    judge->check->options->trust, find_time(judge));
    for (size_t i = 0; i < chain.problem_count; i++)
        add_problem(judge, problem_id(&chain.problems[i]), "", &chain.problems[i]);
    check_team(judge);
}

void sigcheck_cms(const struct sigcheck *check)
{
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    struct view der = {0};
    const struct codesig_blob *blob = codesig_find(check->sig, CODESIG_SLOT_CMS);
    if (blob == NULL || !codesig_cms(&der, check->sig))
        return; /* ad hoc */
    struct judge judge = {
        .check = check, .cms = &cms, .at = check->at + blob->offset + CODESIG_BLOB_LEN};
    if (cms_open(&cms, der, &fail) < 0) {
        struct finding *finding = add(&judge, FINDING_ERROR, "sig.cms-structure", "");
        finding_expected(finding, "a CMS SignedData");
        finding_actual(finding, "%s", fail.message);
        return;
    }
    check_shape(&judge);
    if (cms.signer_count == 0)
        return;
    judge.signer = &cms.signers[0];
    check_signer(&judge);
}

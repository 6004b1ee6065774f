/*
 * CMS signatures: reading, and all judgements on whatever could be read. Texts can be shown on a
 * terminal; a signature holds for one content alone.
 */
#include "fuzz/fuzz.h"
#include "port/cms.h"
#include "unit/cms_make.h"

static const uint8_t text[] = "the content that is signed";
static const struct view content = {text, sizeof text - 1};
static const struct view changed = {text, sizeof text - 2};

static void must_be_text(const char *value, const char *what)
{
    if (!value)
        return;
    for (; *value; value++)
        fuzz_must((unsigned char)*value >= ' ' && *value != 0x7f, what);
}

static void check_certificate(const struct cms_certificate *certificate)
{
    char time[CMS_TIME_MAX];
    fuzz_must(certificate->subject && certificate->issuer && certificate->common_name &&
                  certificate->serial && certificate->key && certificate->signature_algorithm,
              "all of a certificate has a text");
    must_be_text(certificate->subject, "a subject is text");
    must_be_text(certificate->issuer, "an issuer is text");
    must_be_text(certificate->common_name, "a name is text");
    fuzz_must(strlen(certificate->sha256) == CMS_FINGERPRINT_HEX - 1, "a fingerprint");
    cms_time_text(time, certificate->not_before);
    cms_time_text(time, certificate->not_after);
    must_be_text(time, "a time is text");
}

static void check_verdict(const struct cms_verdict *verdict)
{
    fuzz_must(verdict->kind == CMS_GOOD || (verdict->expected && verdict->actual),
              "a verdict says what it saw");
}

static void check_chain(const struct cms *cms, const struct cms_signer *signer,
                        enum cms_purpose purpose, const int64_t *time)
{
    own_cms_chain struct cms_chain chain = {0};
    cms_check_chain(&chain, cms, signer, purpose, NULL, time);
    fuzz_must(chain.count <= CMS_CHAIN_MAX, "a chain ends");
    fuzz_must(chain.anchor == CMS_ANCHOR_APPLE || chain.problem_count > 0,
              "what does not lead to a root is a problem");
}

static void check_signer(const struct cms *cms, const struct cms_signer *signer)
{
    own_cms_verdict struct cms_verdict good = {0};
    own_cms_verdict struct cms_verdict bad = {0};
    own_cms_verdict struct cms_verdict stamp = {0};
    cms_check_signature(&good, cms, signer, content);
    cms_check_signature(&bad, cms, signer, changed);
    check_verdict(&good);
    check_verdict(&bad);
    fuzz_must(good.kind != CMS_GOOD || bad.kind != CMS_GOOD, "a signature is of one content");
    check_chain(cms, signer, CMS_CODE_SIGNING,
                signer->has_signing_time ? &signer->signing_time : NULL);
    must_be_text(signer->digest_algorithm, "an algorithm is text");
    must_be_text(signer->signature_algorithm, "an algorithm is text");
    if (!signer->timestamp)
        return;
    cms_check_timestamp(&stamp, signer);
    check_verdict(&stamp);
    const struct cms *token = &signer->timestamp->token;
    if (token->signer_count > 0)
        check_chain(token, &token->signers[0], CMS_TIMESTAMPING, &signer->timestamp->time);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    if (cms_open(&cms, (struct view){data, size}, &fail) < 0) {
        fuzz_must_say_why(&fail);
        return 0;
    }
    fuzz_must(cms.certificate_count <= CMS_CERTIFICATES_MAX && cms.signer_count <= CMS_SIGNERS_MAX,
              "counts are limited");
    for (size_t i = 0; i < cms.certificate_count; i++)
        check_certificate(&cms.certificates[i]);
    for (size_t i = 0; i < cms.signer_count && i < 2; i++)
        check_signer(&cms, &cms.signers[i]);
    return 0;
}

static struct identity *authority, *leaf, *rsa, *stamper;

static void make_world(void)
{
    authority = identity_new(&(struct identity_spec){.name = "Fuzz Root", .ca = true});
    leaf = identity_new(&(struct identity_spec){.name = "Fuzz Leaf",
                                                .issuer = authority,
                                                .usage = "critical,codeSigning",
                                                .extension = "1.2.840.113635.100.6.1.13"});
    rsa = identity_new(&(struct identity_spec){
        .name = "Fuzz RSA", .issuer = authority, .usage = "codeSigning", .rsa = true});
    stamper = identity_new(&(struct identity_spec){
        .name = "Fuzz Timestamps", .issuer = authority, .usage = "critical,timeStamping"});
}

static void make_timestamped(struct buf *out, struct cms_spec *spec)
{
    own_buf struct buf bare = {0};
    own_buf struct buf info = {0};
    own_buf struct buf token = {0};
    cms_make(&bare, spec);
    cms_put_timestamp_info(&info, "SHA256", cms_signature_value(&bare), "20250102030405Z");
    cms_make(&token, &(struct cms_spec){.signer = stamper,
                                        .content = fuzz_view(&info),
                                        .content_type = "1.2.840.113549.1.9.16.1.4",
                                        .attached = true,
                                        .certificates = {stamper, authority}});
    spec->timestamp = fuzz_view(&token);
    cms_make(out, spec);
}

/* Everything that a signature can have, with keys made now. */
size_t fuzz_fresh_seed(size_t index, uint8_t *out, size_t out_size)
{
    own_buf struct buf seed = {0};
    own_buf struct buf hashes = {0};
    if (!authority)
        make_world();
    struct cms_spec spec = {.signer = leaf,
                            .content = content,
                            .signing_time = "250102030405Z",
                            .certificates = {leaf, authority}};
    cms_put_cdhash(&hashes, "SHA1", content);
    cms_put_cdhash(&hashes, "SHA256", content);
    switch (index) {
    case 0:
        break;
    case 1:
        spec.signer = rsa;
        spec.certificates[0] = rsa;
        spec.indefinite = true;
        break;
    case 2:
        spec.cdhash_list = "<plist><dict><key>cdhashes</key><array/></dict></plist>";
        spec.cdhashes = fuzz_view(&hashes);
        spec.unsorted = true;
        break;
    case 3:
        make_timestamped(&seed, &spec);
        return fuzz_give(&seed, out, out_size);
    case 4:
        spec.no_attributes = true;
        spec.key_identifier = true;
        break;
    case 5:
        spec.attached = true;
        spec.signer_count = 2;
        break;
    default:
        return 0;
    }
    cms_make(&seed, &spec);
    return fuzz_give(&seed, out, out_size);
}

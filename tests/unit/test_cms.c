/* CMS signatures: what they state, whether they hold, and that libcrypto's own verifier agrees. */
#include <openssl/cms.h>
#include <openssl/err.h>
#include <string.h>

#include "unit/cms_world.h"
#include "unit/unit.h"

/* What libcrypto says of the signature; certificates are another question. */
static bool libcrypto_accepts(const struct buf *der, struct view bytes)
{
    const unsigned char *at = der->data;
    CMS_ContentInfo *info = d2i_CMS_ContentInfo(NULL, &at, (long)der->len);
    assert_non_null(info);
    BIO *bio = BIO_new_mem_buf(bytes.data, (int)bytes.len);
    bool good = CMS_verify(info, NULL, NULL, bio, NULL,
                           CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY | CMS_DETACHED) == 1;
    BIO_free(bio);
    CMS_ContentInfo_free(info);
    ERR_clear_error();
    return good;
}

/* Makes it, and asks both for a verdict. */
static void expect_kind(const struct cms_spec *spec, struct view bytes, enum cms_verdict_kind kind)
{
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    cms_make(&der, spec);
    cms_open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], bytes);
    assert_int_equal(verdict.kind, kind);
    assert_int_equal(verdict.expected != NULL && verdict.actual != NULL, kind != CMS_GOOD);
    assert_int_equal(libcrypto_accepts(&der, bytes), kind == CMS_GOOD);
}

static void cms_open__tells_what_is_stated(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = cms_plain();
    spec.indefinite = true;
    cms_make(&der, &spec);
    buf_append(&der, "\0\0\0", 3);
    cms_open_works(&cms, &der);
    assert_int_equal(cms.padding, 3);
    assert_false(cms.has_content);
    assert_string_equal(cms.content_type, "1.2.840.113549.1.7.1");
    assert_int_equal(cms.certificate_count, 3);
    assert_string_equal(cms.certificates[0].subject, "C=XX, CN=Test Leaf");
    assert_string_equal(cms.certificates[0].issuer, "C=XX, CN=Test Intermediate");
    assert_string_equal(cms.certificates[0].common_name, "Test Leaf");
    assert_string_equal(cms.certificates[0].key, "EC 256");
    assert_string_equal(cms.certificates[0].signature_algorithm, "ecdsa-with-SHA256");
    assert_int_equal(cms.certificates[0].not_before, 946684800);
    assert_int_equal(cms.certificates[0].not_after, 4102444800);
    assert_int_equal(strlen(cms.certificates[0].sha256), 64);
    assert_false(cms.certificates[1].self_issued);
    assert_true(cms.certificates[2].self_issued);
    const struct cms_signer *signer = &cms.signers[0];
    assert_int_equal(cms.signer_count, 1);
    assert_ptr_equal(signer->certificate, &cms.certificates[0]);
    assert_string_equal(signer->issuer, "C=XX, CN=Test Intermediate");
    assert_string_equal(signer->serial, cms.certificates[0].serial);
    assert_string_equal(signer->digest_algorithm, "sha256");
    assert_string_equal(signer->signature_algorithm, "ecdsa-with-SHA256");
    assert_true(signer->has_signing_time);
    char time[CMS_TIME_MAX];
    cms_time_text(time, signer->signing_time);
    assert_string_equal(time, "2025-01-02 03:04:05 UTC");
    assert_int_equal(signer->digest.len, 32);
    assert_null(signer->timestamp);
}

static void cms_open__reads_apple_attributes(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_buf struct buf entries = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = cms_plain();
    cms_put_cdhash(&entries, "SHA256", cms_content);
    cms_put_cdhash(&entries, "SHA1", cms_content);
    spec.cdhashes = (struct view){entries.data, entries.len};
    spec.cdhash_list = "<plist/>";
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
    const struct cms_signer *signer = &cms.signers[0];
    assert_true(signer->has_hashes);
    assert_int_equal(signer->hash_count, 2);
    assert_string_equal(signer->hashes[0].algorithm, "sha256");
    assert_int_equal(signer->hashes[0].digest.len, 32);
    assert_string_equal(signer->hashes[1].algorithm, "sha1");
    assert_int_equal(signer->cdhash_list.len, 8);
}

static void check_signature__good_ones(void **state)
{
    (void)state;
    static const char *const digests[] = {"SHA1", "SHA224", "SHA256", "SHA384", "SHA512"};
    for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
        struct cms_spec spec = cms_plain();
        spec.digest = digests[i];
        expect_kind(&spec, cms_content, CMS_GOOD);
        spec.signer = spec.certificates[0] = cms_world.rsa;
        expect_kind(&spec, cms_content, CMS_GOOD);
        spec.signature_oid = "rsaEncryption";
        expect_kind(&spec, cms_content, CMS_GOOD);
    }
    struct cms_spec spec = cms_plain();
    spec.indefinite = true;
    expect_kind(&spec, cms_content, CMS_GOOD);
    spec.indefinite_attributes = true;
    expect_kind(&spec, cms_content, CMS_GOOD);
    spec.cdhash_list = "a text that makes the attributes longer than a length of one byte can say, "
                       "which is what those of real signatures are";
    expect_kind(&spec, cms_content, CMS_GOOD);
    spec.key_identifier = true;
    expect_kind(&spec, cms_content, CMS_GOOD);
    spec.no_attributes = true;
    expect_kind(&spec, cms_content, CMS_GOOD);
}

/* openssl encodes the attributes in the order of DER, and so sees another signature. */
static void check_signature__judges_attributes_as_they_stand(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    struct cms_spec spec = cms_plain();
    own_buf struct buf entries = {0};
    cms_put_cdhash(&entries, "SHA256", cms_content);
    cms_put_cdhash(&entries, "SHA1", cms_content); /* shorter: DER wants it first */
    spec.cdhashes = (struct view){entries.data, entries.len};
    spec.unsorted = true;
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], cms_content);
    assert_int_equal(verdict.kind, CMS_GOOD);
    assert_false(libcrypto_accepts(&der, cms_content));
}

static void check_signature__other_content(void **state)
{
    (void)state;
    struct cms_spec spec = cms_plain();
    expect_kind(&spec, cms_changed, CMS_BAD_DIGEST);
    spec.damaged_digest = true;
    expect_kind(&spec, cms_content, CMS_BAD_DIGEST);
    spec = cms_plain();
    spec.no_attributes = true;
    expect_kind(&spec, cms_changed, CMS_BAD_SIGNATURE);
}

static void check_signature__other_key(void **state)
{
    (void)state;
    struct cms_spec spec = cms_plain();
    spec.damaged_signature = true;
    expect_kind(&spec, cms_content, CMS_BAD_SIGNATURE);
    spec = cms_plain();
    struct identity impostor = {.key = cms_world.stranger->key, .x509 = cms_world.leaf->x509};
    spec.signer = &impostor;
    expect_kind(&spec, cms_content, CMS_BAD_SIGNATURE);
}

static void check_signature__contradictions(void **state)
{
    (void)state;
    struct cms_spec spec = cms_plain();
    spec.certificates[0] = cms_world.stranger; /* the same name, another serial number */
    expect_kind(&spec, cms_content, CMS_BAD_STRUCTURE);
}

/* libcrypto is not asked where it is laxer, or does what nobody here has a use for. */
static void check_signature__stricter_than_libcrypto(void **state)
{
    (void)state;
    static const struct {
        const char *digest_oid, *signature_oid, *attribute_type;
    } cases[] = {
        {"MD5", NULL, NULL},           {"1.2.3.4.5", NULL, NULL},  {NULL, "ecdsa-with-SHA1", NULL},
        {NULL, "rsaEncryption", NULL}, {NULL, "RSASSA-PSS", NULL}, {NULL, "1.2.3.4.5", NULL},
        {NULL, NULL, TIMESTAMP_TYPE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        struct cms_spec spec = cms_plain();
        spec.digest_oid = cases[i].digest_oid;
        spec.signature_oid = cases[i].signature_oid;
        spec.attribute_type = cases[i].attribute_type;
        cms_make(&der, &spec);
        cms_open_works(&cms, &der);
        cms_check_signature(&verdict, &cms, &cms.signers[0], cms_content);
        assert_int_equal(verdict.kind, CMS_BAD_STRUCTURE);
    }
}

/* Old writers put the algorithm of the signature where that of the digest belongs. */
static void check_signature__signature_algorithm_as_digest(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    struct cms_spec spec = cms_plain();
    spec.digest_oid = "ecdsa-with-SHA256";
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
    cms_check_signature(&verdict, &cms, &cms.signers[0], cms_content);
    assert_int_equal(verdict.kind, CMS_GOOD);
}

/* A signature with a timestamp token of that kind. */
static void make_stamped(struct buf *out, const struct cms_spec *token_changes, const char *time)
{
    own_buf struct buf first = {0};
    own_buf struct buf info = {0};
    own_buf struct buf token = {0};
    struct cms_spec spec = cms_plain();
    spec.signer = spec.certificates[0] = cms_world.rsa; /* whose signatures come out alike */
    cms_make(&first, &spec);
    cms_put_timestamp_info(&info, "SHA256", cms_signature_value(&first), time);
    struct cms_spec token_spec = *token_changes;
    token_spec.content = (struct view){info.data, info.len};
    token_spec.content_type = TIMESTAMP_TYPE;
    token_spec.attached = true;
    if (token_spec.signer == NULL)
        token_spec.signer = token_spec.certificates[0] = cms_world.authority;
    cms_make(&token, &token_spec);
    spec.timestamp = (struct view){token.data, token.len};
    spec.timestamp_count = token_changes->timestamp_count;
    cms_make(out, &spec);
}

static void check_timestamp__good(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    make_stamped(&der, &(struct cms_spec){.indefinite = true}, "20250102030406.123Z");
    cms_open_works(&cms, &der);
    const struct cms_timestamp *timestamp = cms.signers[0].timestamp;
    assert_non_null(timestamp);
    assert_int_equal(timestamp->time, SIGNED_AT + 1);
    assert_string_equal(timestamp->serial, "07");
    assert_string_equal(timestamp->policy, "1.2.3.4");
    assert_string_equal(timestamp->digest_algorithm, "sha256");
    assert_string_equal(timestamp->token.signers[0].certificate->common_name, "Test Timestamps");
    cms_check_timestamp(&verdict, &cms.signers[0]);
    assert_int_equal(verdict.kind, CMS_GOOD);
    own_cms_chain struct cms_chain chain = {0};
    cms_check_chain(&chain, &timestamp->token, &timestamp->token.signers[0], CMS_TIMESTAMPING, NULL,
                    &timestamp->time);
    assert_int_equal(chain.problem_count, 1);
    assert_int_equal(chain.problems[0].kind, CMS_UNTRUSTED);
}

static void check_timestamp__bad_ones(void **state)
{
    (void)state;
    static const struct {
        struct cms_spec token;
        enum cms_verdict_kind kind;
    } cases[] = {
        {{.damaged_digest = true}, CMS_BAD_DIGEST},
        {{.damaged_signature = true}, CMS_BAD_SIGNATURE},
        {{.no_attributes = true}, CMS_BAD_STRUCTURE},
        {{.signer_count = 2}, CMS_BAD_STRUCTURE},
        {{.digest_oid = "MD5"}, CMS_BAD_STRUCTURE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        make_stamped(&der, &cases[i].token, "20250102030406Z");
        cms_open_works(&cms, &der);
        assert_non_null(cms.signers[0].timestamp);
        cms_check_timestamp(&verdict, &cms.signers[0]);
        assert_int_equal(verdict.kind, cases[i].kind);
    }
}

/* The timestamp of another signature. */
static void check_timestamp__of_another_signature(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_buf struct buf other = {0};
    own_cms struct cms cms = {0};
    own_cms_verdict struct cms_verdict verdict = {0};
    own_buf struct buf info = {0};
    cms_put_timestamp_info(&info, "SHA256", cms_content, "20250102030406Z");
    cms_make(&other, &(struct cms_spec){.signer = cms_world.authority,
                                        .certificates = {cms_world.authority},
                                        .content = {info.data, info.len},
                                        .content_type = TIMESTAMP_TYPE,
                                        .attached = true});
    struct cms_spec spec = cms_plain();
    spec.timestamp = (struct view){other.data, other.len};
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
    cms_check_timestamp(&verdict, &cms.signers[0]);
    assert_int_equal(verdict.kind, CMS_BAD_DIGEST);
}

/* What cannot be read does not hide the signature. */
static void cms_open__keeps_what_is_wrong_with_a_timestamp(void **state)
{
    (void)state;
    static const struct {
        struct cms_spec token;
        const char *time, *message;
    } cases[] = {
        {{.timestamp_count = 2}, "20250102030406Z", "more than one"},
        {{.no_signer = true}, "never", "time"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_buf struct buf der = {0};
        own_cms struct cms cms = {0};
        make_stamped(&der, &cases[i].token, cases[i].time);
        cms_open_works(&cms, &der);
        assert_null(cms.signers[0].timestamp);
        unit_assert_contains(cms.signers[0].timestamp_failure, cases[i].message, __FILE__,
                             __LINE__);
    }
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    struct cms_spec spec = cms_plain();
    spec.timestamp = (struct view){(const uint8_t *)"\x30\x80zz", 4};
    cms_make(&der, &spec);
    cms_open_works(&cms, &der);
    unit_assert_contains(cms.signers[0].timestamp_failure, "no readable", __FILE__, __LINE__);
}

static void cms_open__refuses_what_is_no_signed_data(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
        const char *message;
    } cases[] = {
        {"", 0, "ContentInfo at offset 0"},
        {"\x30", 1, "ContentInfo at offset 0"},
        {"\x30\x84\xff\xff\xff\xff", 6, "ContentInfo at offset 0"},
        {"\x30\x88\xff\xff\xff\xff\xff\xff\xff\xff", 10, "ContentInfo at offset 0"},
        {"\x30\x80\x30\x80\x30\x80\x00\x00", 8, "ContentInfo at offset 0"},
        {"\x30\x03\x06\x01\x2a", 5, "no SignedData"},
        {"\x30\x80\x00\x00", 4, "type at offset 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        struct view der = {(const uint8_t *)cases[i].bytes, cases[i].len};
        assert_fails(cms_open(&cms, der, &fail), &fail, FAIL_INPUT, cases[i].message);
    }
    own_buf struct buf large = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    buf_zeros(&large, CMS_LEN_MAX + 1);
    assert_fails(cms_open(&cms, (struct view){large.data, large.len}, &fail), &fail, FAIL_INPUT,
                 "more than");
}

static void cms_open__refuses_an_attribute_that_is_there_twice(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    struct cms_spec spec = cms_plain();
    spec.twice = true;
    cms_make(&der, &spec);
    assert_fails(cms_open(&cms, (struct view){der.data, der.len}, &fail), &fail, FAIL_INPUT,
                 "single message digest");
}

static void cms_open__more_signers_than_can_be(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms cms = {0};
    own_fail struct fail fail = {0};
    struct cms_spec spec = cms_plain();
    spec.signer_count = CMS_SIGNERS_MAX + 1;
    cms_make(&der, &spec);
    assert_fails(cms_open(&cms, (struct view){der.data, der.len}, &fail), &fail, FAIL_INPUT,
                 "more than 8 signers");
}

/* Cut anywhere, or with any byte changed: refused, or judged, and nothing else. */
static void cms_open__damaged_anywhere(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    make_stamped(&der, &(struct cms_spec){.indefinite = true}, "20250102030406Z");
    for (size_t len = 0; len < der.len; len += 1 + len / 64) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_mem uint8_t *copy = mem_copy(der.data, len);
        assert_int_equal(cms_open(&cms, (struct view){copy, len}, &fail), -1);
    }
    for (size_t at = 0; at < der.len; at += 3) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        der.data[at] ^= 0xff;
        if (cms_open(&cms, (struct view){der.data, der.len}, &fail) == 0 && cms.signer_count == 1 &&
            cms.signers[0].certificate != NULL && at % 24 == 0)
            cms_check_signature(&verdict, &cms, &cms.signers[0], cms_content);
        der.data[at] ^= 0xff;
    }
}

/* No byte of what the signature covers can change. */
static void check_signature__every_byte_of_the_attributes(void **state)
{
    (void)state;
    own_buf struct buf der = {0};
    own_cms struct cms good = {0};
    struct cms_spec spec = cms_plain();
    spec.cdhash_list = "<plist/>";
    cms_make(&der, &spec);
    cms_open_works(&good, &der);
    size_t from = (size_t)(good.signers[0].attributes.data - der.data);
    size_t to = from + (size_t)good.signers[0].attributes.len;
    for (size_t at = from; at < to; at++) {
        own_cms struct cms cms = {0};
        own_fail struct fail fail = {0};
        own_cms_verdict struct cms_verdict verdict = {0};
        der.data[at] ^= 0x01;
        if (cms_open(&cms, (struct view){der.data, der.len}, &fail) == 0) {
            cms_check_signature(&verdict, &cms, &cms.signers[0], cms_content);
            assert_int_not_equal(verdict.kind, CMS_GOOD);
        }
        der.data[at] ^= 0x01;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cms_open__tells_what_is_stated),
        cmocka_unit_test(cms_open__reads_apple_attributes),
        cmocka_unit_test(check_signature__good_ones),
        cmocka_unit_test(check_signature__judges_attributes_as_they_stand),
        cmocka_unit_test(check_signature__other_content),
        cmocka_unit_test(check_signature__other_key),
        cmocka_unit_test(check_signature__contradictions),
        cmocka_unit_test(check_signature__stricter_than_libcrypto),
        cmocka_unit_test(check_signature__signature_algorithm_as_digest),
        cmocka_unit_test(check_timestamp__good),
        cmocka_unit_test(check_timestamp__bad_ones),
        cmocka_unit_test(check_timestamp__of_another_signature),
        cmocka_unit_test(cms_open__keeps_what_is_wrong_with_a_timestamp),
        cmocka_unit_test(cms_open__refuses_what_is_no_signed_data),
        cmocka_unit_test(cms_open__refuses_an_attribute_that_is_there_twice),
        cmocka_unit_test(cms_open__more_signers_than_can_be),
        cmocka_unit_test(cms_open__damaged_anywhere),
        cmocka_unit_test(check_signature__every_byte_of_the_attributes),
    };
    return cmocka_run_group_tests(tests, cms_world_make, cms_world_end);
}

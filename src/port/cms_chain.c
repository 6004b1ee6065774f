#include <inttypes.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "port/cms_impl.h"

/* Extensions and extended key usages of Apple's own. */
#define APPLE_EXTENSIONS       "1.2.840.113635.100.6."
#define APPLE_CODE_SIGNING_EKU "1.2.840.113635.100.4.1"

#define PROBLEMS_MAX 64u

/* Apple Root CA, Apple Root CA - G2, Apple Root CA - G3. */
static const char *const apple_roots[] = {
    "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024",
    "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050",
    "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
};

struct walk {
    struct cms_chain *out;
    const struct cms *cms;
    const struct cms_trust *trust;
    const int64_t *time;
};

static bool is_apple_root(const struct cms_certificate *certificate)
{
    for (size_t i = 0; i < sizeof apple_roots / sizeof apple_roots[0]; i++)
        if (strcmp(certificate->sha256, apple_roots[i]) == 0)
            return true;
    return false;
}

/* Takes the texts. */
static void add_problem(struct cms_chain *out, enum cms_problem_kind kind,
                        const struct cms_certificate *certificate, char *expected, char *actual)
{
    if (out->problem_count == PROBLEMS_MAX) {
        own_release_mem(&expected);
        own_release_mem(&actual);
        return;
    }
    if (out->problems == NULL)
        out->problems = mem_new(PROBLEMS_MAX, sizeof(*out->problems));
    out->problems[out->problem_count++] = (struct cms_problem){
        .kind = kind, .certificate = certificate, .expected = expected, .actual = actual};
}

void cms_chain_release(struct cms_chain *chain)
{
    for (size_t i = 0; i < chain->problem_count; i++) {
        own_release_mem(&chain->problems[i].expected);
        own_release_mem(&chain->problems[i].actual);
    }
    own_release_mem(&chain->problems);
    *chain = (struct cms_chain){0};
}

/* The certificate of ours that libcrypto means. */
static const struct cms_certificate *find(const struct walk *walk, const X509 *x509)
{
    for (size_t i = 0; i < walk->cms->certificate_count; i++)
        if (X509_cmp(walk->cms->certificates[i].x509, x509) == 0)
            return &walk->cms->certificates[i];
    for (size_t i = 0; walk->trust != NULL && i < walk->trust->count; i++)
        if (X509_cmp(walk->trust->certificates[i].x509, x509) == 0)
            return &walk->trust->certificates[i];
    return NULL;
}

/* Critical extensions that are unknown both to libcrypto and to us are a problem. */
static void check_critical(const struct walk *walk, const struct cms_certificate *certificate)
{
    const X509 *x509 = certificate->x509;
    for (int i = 0; i < X509_get_ext_count(x509); i++) {
        X509_EXTENSION *extension = X509_get_ext(x509, i);
        char oid[128] = "";
        if (!X509_EXTENSION_get_critical(extension) || X509_supported_extension(extension))
            continue;
        (void)OBJ_obj2txt(oid, sizeof oid, X509_EXTENSION_get_object(extension), 1);
        if (strncmp(oid, APPLE_EXTENSIONS, sizeof(APPLE_EXTENSIONS) - 1) == 0)
            continue;
        add_problem(walk->out, CMS_BAD_CHAIN, certificate,
                    text_copy("critical extensions that are known"), text_copy(oid));
    }
}

static void add_validity(const struct walk *walk, const struct cms_certificate *certificate)
{
    char from[CMS_TIME_MAX];
    char to[CMS_TIME_MAX];
    char at[CMS_TIME_MAX];
    cms_time_text(from, certificate->not_before);
    cms_time_text(to, certificate->not_after);
    cms_time_text(at, *walk->time);
    add_problem(walk->out, CMS_NOT_VALID, certificate, text_printf("valid at %s", at),
                text_printf("valid from %s to %s", from, to));
}

static bool has_kind(const struct cms_chain *chain, enum cms_problem_kind kind)
{
    for (size_t i = 0; i < chain->problem_count; i++)
        if (chain->problems[i].kind == kind)
            return true;
    return false;
}

/* Where the chain ends, or what else libcrypto found. */
static void add_error(const struct walk *walk, const struct cms_certificate *certificate, int error)
{
    switch (error) {
    case X509_V_OK:
        return;
    case X509_V_ERR_CERT_NOT_YET_VALID:
    case X509_V_ERR_CERT_HAS_EXPIRED:
        if (certificate != NULL && walk->time != NULL) {
            add_validity(walk, certificate);
            return;
        }
        break;
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION:
        if (certificate != NULL) {
            check_critical(walk, certificate);
            return;
        }
        break;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
        if (has_kind(walk->out, CMS_UNTRUSTED))
            return;
        add_problem(walk->out, CMS_UNTRUSTED, certificate,
                    text_copy("a chain to Apple's root, or to a trusted certificate"),
                    certificate == NULL ? text_copy("no chain")
                    : certificate->self_issued
                        ? text_printf("it ends at '%s', which vouches for "
                                      "itself and is not trusted",
                                      certificate->subject)
                        : text_printf("the issuer '%s' is missing", certificate->issuer));
        return;
    default:
        break;
    }
    add_problem(walk->out, CMS_BAD_CHAIN, certificate, text_copy("a chain that holds (RFC 5280)"),
                text_copy(X509_verify_cert_error_string(error)));
}

/* Goes on after each error, so that all are found. */
static int on_step(int good, X509_STORE_CTX *context)
{
    const struct walk *walk = X509_STORE_CTX_get_app_data(context);
    if (good)
        return 1;
    const X509 *x509 = X509_STORE_CTX_get_current_cert(context);
    add_error(walk, x509 == NULL ? NULL : find(walk, x509), X509_STORE_CTX_get_error(context));
    return 1;
}

static bool has_extended_usage(const X509 *x509, const char *wanted)
{
    EXTENDED_KEY_USAGE *usages = X509_get_ext_d2i(x509, NID_ext_key_usage, NULL, NULL);
    bool found = false;
    for (int i = 0; i < sk_ASN1_OBJECT_num(usages); i++) {
        char oid[128] = "";
        (void)OBJ_obj2txt(oid, sizeof oid, sk_ASN1_OBJECT_value(usages, i), 1);
        found = found || strcmp(oid, wanted) == 0;
    }
    EXTENDED_KEY_USAGE_free(usages);
    return found;
}

/* What the certificate may be used for. UINT32_MAX: it does not say. */
static void check_purpose(const struct walk *walk, const struct cms_certificate *certificate,
                          enum cms_purpose purpose)
{
    X509 *x509 = certificate->x509;
    uint32_t usage = X509_get_key_usage(x509);
    uint32_t extended = X509_get_extended_key_usage(x509);
    bool allowed = false;
    if (purpose == CMS_TIMESTAMPING)
        allowed = extended != UINT32_MAX && (extended & XKU_TIMESTAMP) != 0;
    else
        allowed = (extended & (XKU_CODE_SIGN | XKU_ANYEKU)) != 0 ||
                  has_extended_usage(x509, APPLE_CODE_SIGNING_EKU);
    if ((usage & (KU_DIGITAL_SIGNATURE | KU_NON_REPUDIATION)) == 0)
        add_problem(walk->out, CMS_BAD_CHAIN, certificate,
                    text_copy("a key usage that includes digital signatures"),
                    text_printf("0x%" PRIx32, usage));
    if (!allowed)
        add_problem(walk->out, CMS_BAD_CHAIN, certificate,
                    text_printf("an extended key usage for %s",
                                purpose == CMS_TIMESTAMPING ? "timestamps" : "code signing"),
                    text_copy(extended == UINT32_MAX ? "none" : "others"));
}

static void take_chain(const struct walk *walk, X509_STORE_CTX *context)
{
    STACK_OF(X509) *chain = X509_STORE_CTX_get0_chain(context);
    struct cms_chain *out = walk->out;
    for (int i = 0; i < sk_X509_num(chain) && out->count < CMS_CHAIN_MAX; i++) {
        const struct cms_certificate *certificate = find(walk, sk_X509_value(chain, i));
        if (certificate != NULL)
            out->certificates[out->count++] = certificate;
    }
    if (out->count == 0 || has_kind(out, CMS_UNTRUSTED))
        return;
    out->anchor =
        is_apple_root(out->certificates[out->count - 1]) ? CMS_ANCHOR_APPLE : CMS_ANCHOR_TRUST;
}

static void run(const struct walk *walk, X509_STORE *store, STACK_OF(X509) * others, X509 *leaf)
{
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    if (context == NULL || X509_STORE_CTX_init(context, store, leaf, others) != 1 ||
        X509_STORE_CTX_set_app_data(context, (void *)walk) != 1)
        cms_no_memory();
    X509_STORE_CTX_set_verify_cb(context, on_step);
    if (walk->time != NULL)
        X509_STORE_CTX_set_time(context, 0, (time_t)*walk->time);
    else
        X509_STORE_CTX_set_flags(context, X509_V_FLAG_NO_CHECK_TIME);
    /* A trusted certificate ends the chain, whoever issued it. */
    X509_STORE_CTX_set_flags(context, X509_V_FLAG_PARTIAL_CHAIN);
    X509_STORE_CTX_set_depth(context, CMS_CHAIN_MAX - 2);
    if (X509_verify_cert(context) != 1 && walk->out->problem_count == 0)
        add_error(walk, NULL,
                  X509_STORE_CTX_get_error(context) == X509_V_OK
                      ? X509_V_ERR_UNSPECIFIED
                      : X509_STORE_CTX_get_error(context));
    take_chain(walk, context);
    X509_STORE_CTX_free(context);
}

static void trust_one(X509_STORE *store, const struct cms_certificate *certificate)
{
    if (X509_STORE_add_cert(store, certificate->x509) != 1)
        cms_no_memory();
}

void cms_check_chain(struct cms_chain *out, const struct cms *cms, const struct cms_signer *signer,
                     enum cms_purpose purpose, const struct cms_trust *trust, const int64_t *time)
{
    struct walk walk = {.out = out, .cms = cms, .trust = trust, .time = time};
    *out = (struct cms_chain){0};
    if (signer->certificate == NULL) {
        add_problem(out, CMS_UNTRUSTED, NULL, text_copy("the signer's certificate"),
                    text_copy("it is not among the certificates"));
        return;
    }
    X509_STORE *store = X509_STORE_new();
    STACK_OF(X509) *others = sk_X509_new_null();
    if (store == NULL || others == NULL)
        cms_no_memory();
    for (size_t i = 0; i < cms->certificate_count; i++) {
        if (sk_X509_push(others, cms->certificates[i].x509) <= 0)
            cms_no_memory();
        if (is_apple_root(&cms->certificates[i]))
            trust_one(store, &cms->certificates[i]);
    }
    for (size_t i = 0; trust != NULL && i < trust->count; i++)
        trust_one(store, &trust->certificates[i]);
    run(&walk, store, others, signer->certificate->x509);
    check_purpose(&walk, signer->certificate, purpose);
    sk_X509_free(others);
    X509_STORE_free(store);
    cms_clear_errors();
}

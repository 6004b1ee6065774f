#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <string.h>

#include "port/cms_impl.h"

#define TRUST_MAX 1024u

static int take_certificate(struct cms_trust *trust, uint8_t *der, long len)
{
    struct cms_certificate certificate = {0};
    if (!cms_certificate_read(&certificate, (struct view){.data = der, .len = (uint64_t)len}))
        return -1;
    certificate.copy = mem_copy(der, (size_t)len);
    certificate.der.data = certificate.copy;
    trust->certificates =
        mem_grow(trust->certificates, trust->count, &trust->capacity, sizeof(*trust->certificates));
    trust->certificates[trust->count++] = certificate;
    return 0;
}

static bool is_certificate(const char *name)
{
    return strcmp(name, PEM_STRING_X509) == 0 || strcmp(name, PEM_STRING_X509_OLD) == 0;
}

/* One block; 0 at the end, 1 when there may be more. */
static int read_block(struct cms_trust *trust, BIO *bio, const char *file, struct fail *fail)
{
    char *name = NULL;
    char *header = NULL;
    unsigned char *data = NULL;
    long len = 0;
    if (PEM_read_bio(bio, &name, &header, &data, &len) != 1) {
        if (ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE)
            return 0;
        return fail_set(fail, FAIL_INPUT, "'%s' is not valid PEM", file);
    }
    int result = 1;
    if (is_certificate(name) && trust->count == TRUST_MAX)
        result = fail_set(fail, FAIL_INPUT, "'%s' has more than %u certificates", file, TRUST_MAX);
    else if (is_certificate(name) && take_certificate(trust, data, len) < 0)
        result = fail_set(fail, FAIL_INPUT, "certificate %zu of '%s' cannot be read",
                          trust->count + 1, file);
    OPENSSL_free(name);
    OPENSSL_free(header);
    OPENSSL_free(data);
    return result;
}

int cms_trust_read(struct cms_trust *trust, struct view pem, const char *name, struct fail *fail)
{
    size_t before = trust->count;
    if (pem.len > CMS_LEN_MAX)
        return fail_set(fail, FAIL_INPUT, "'%s' has %" PRIu64 " bytes, more than %" PRIu64, name,
                        pem.len, CMS_LEN_MAX);
    BIO *bio = BIO_new_mem_buf(pem.len == 0 ? "" : (const char *)pem.data, (int)pem.len);
    if (bio == NULL)
        cms_no_memory();
    int more = 1;
    while (more > 0)
        more = read_block(trust, bio, name, fail);
    BIO_free(bio);
    cms_clear_errors();
    if (more < 0)
        return -1;
    if (trust->count > before)
        return 0;
    fail_set(fail, FAIL_INPUT, "'%s' has no certificate", name);
    return fail_hint(fail, "certificates in PEM begin with -----BEGIN CERTIFICATE-----");
}

void cms_trust_release(struct cms_trust *trust)
{
    for (size_t i = 0; i < trust->count; i++)
        cms_certificate_release(&trust->certificates[i]);
    own_release_mem(&trust->certificates);
    *trust = (struct cms_trust){0};
}

/*
 * Purpose: what the parts of the CMS module share.
 *
 * Layer: port, private to src/port/cms*.c.
 *
 * Calling sequence, Ownership: see cms.h; texts belong to the caller.
 *
 * Errors: false. The error queue of libcrypto is left as it became: who is called from outside
 *     clears it (cms_clear_errors()).
 */
#ifndef HALLMARK_PORT_CMS_IMPL_H
#define HALLMARK_PORT_CMS_IMPL_H

#include <openssl/x509.h>

#include "port/cms.h"
#include "port/cms_ber.h"

#define CMS_OID_DATA      "1.2.840.113549.1.7.1"
#define CMS_OID_TIMESTAMP "1.2.840.113549.1.9.16.1.4" /* what a timestamp token holds */

/* Ends the process (exit 7): libcrypto fails there only for lack of memory. */
_Noreturn void cms_no_memory(void);

void cms_clear_errors(void);

/* An object identifier in digits; NULL for what is none. */
char *cms_oid_digits(const struct ber *oid);

/* The first element of an AlgorithmIdentifier by its usual name, "sha256", or in digits. */
char *cms_algorithm_name(const struct ber *algorithm);

/* A UTCTime or GeneralizedTime; a time of libcrypto. */
bool cms_time_read(int64_t *out, const struct ber *element);
bool cms_time_convert(int64_t *out, const ASN1_TIME *time);

/* A name as text. */
char *cms_name_text(const X509_NAME *name);

/* Lower-case hexadecimal of an INTEGER. */
char *cms_integer_text(const ASN1_INTEGER *integer);

/* Reads one certificate, which is all of `der`; on success `out` has to be released. */
bool cms_certificate_read(struct cms_certificate *out, struct view der);
void cms_certificate_release(struct cms_certificate *certificate);

#endif

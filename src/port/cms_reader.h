/*
 * Purpose: what the readers of the parts of a SignedData share: taking elements that must be
 *     there, and saying which one is not, and where.
 *
 * Layer: port, private to src/port/cms*.c.
 *
 * Calling sequence: cms_open() fills a struct cms_reader; each reader takes what is its own from a
 *     view that shrinks, and ends with cms_finish().
 *
 * Ownership: texts that are put into `out` belong to the caller, also after a failure.
 *
 * Errors: FAIL_INPUT, with the name of the part and its offset in `all`.
 */
#ifndef HALLMARK_PORT_CMS_READER_H
#define HALLMARK_PORT_CMS_READER_H

#include "port/cms_impl.h"

struct cms_reader {
    struct cms *cms;
    struct view all; /* for offsets in messages */
    bool nested;     /* inside of a timestamp */
    struct fail *fail;
};

int cms_malformed(const struct cms_reader *reader, struct view at, const char *what);

/* Takes an element that must be there. */
int cms_take(const struct cms_reader *reader, struct ber *out, struct view *rest, uint8_t tag,
             const char *what) must_check;

/* That nothing is left. */
int cms_finish(const struct cms_reader *reader, struct view rest, const char *what) must_check;

/* The only element there is. */
int cms_single(const struct cms_reader *reader, struct ber *out, struct view values,
               const char *what) must_check;

/* As text: an object identifier in digits, an AlgorithmIdentifier, an INTEGER. */
int cms_take_oid(const struct cms_reader *reader, char **out, struct view *rest,
                 const char *what) must_check;
int cms_take_algorithm(const struct cms_reader *reader, char **out, struct view *rest,
                       const char *what) must_check;
int cms_take_integer_text(const struct cms_reader *reader, char **out, struct view *rest,
                          const char *what) must_check;

/* A whole ContentInfo with SignedData, into reader->cms. */
int cms_read_signed_data(struct cms_reader *reader, struct view der) must_check;

/* The parts of one SignerInfo; its certificate is looked for in reader->cms. */
int cms_read_signer(const struct cms_reader *reader, struct cms_signer *signer,
                    struct view rest) must_check;
void cms_signer_release(struct cms_signer *signer);

/* The value of a timestamp attribute. What is wrong with it is kept in the signer. */
void cms_read_timestamp(struct cms_signer *signer, struct view values);
void cms_timestamp_release(struct cms_timestamp *timestamp);

#endif

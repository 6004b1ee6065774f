/*
 * Purpose: the parts of sigcheck.c, which only it calls.
 *
 * Layer: macho, private to sigcheck*.c.
 *
 * Calling sequence: sigcheck_verify() fills a struct sigcheck and calls the parts in turn.
 *
 * Ownership: everything is borrowed.
 *
 * Errors, Determinism: see sigcheck.h.
 */
#ifndef HALLMARK_MACHO_SIGCHECK_PARTS_H
#define HALLMARK_MACHO_SIGCHECK_PARTS_H

#include "macho/codesig.h"
#include "macho/image.h"
#include "macho/pagehash.h"
#include "macho/sigcheck.h"

struct sigcheck {
    struct findings *out;
    const struct image *image;
    const struct sigcheck_options *options;
    const struct codesig *sig;
    uint64_t start; /* of the signature in the image, which fields count from */
    uint64_t at;    /* of the signature in the file, for places */
};

/* Adds a finding about a structure (printf-style) at that offset of the file. */
struct finding *sigcheck_add(const struct sigcheck *check, enum finding_level level, const char *id,
                             uint64_t offset, const char *structure, ...)
    __attribute__((format(printf, 5, 6)));

/* Reports that [from, to) of `bytes`, which begin at file offset `base`, hold something else
 * than zeros. */
void sigcheck_zeros(const struct sigcheck *check, enum finding_level level, struct view bytes,
                    uint64_t from, uint64_t to, uint64_t base, const char *what);

/* A range of bytes that belongs to something; see sigcheck_ranges(). */
struct sigcheck_range {
    uint64_t start;
    uint64_t end;
    const char *what;
};

/*
 * Sorts the ranges and checks that they do not overlap and that what lies between them inside
 * [0, bytes.len) are fewer than 16 zeros each, or at most `tail_max` of them behind the last.
 */
void sigcheck_ranges(const struct sigcheck *check, struct sigcheck_range *ranges, size_t count,
                     struct view bytes, uint64_t base, uint64_t tail_max, const char *whole);

/* That header, sections and what the load commands state ranges of end before the signature:
 * behind its SuperBlob there may be bytes that nothing seals. */
void sigcheck_tables(const struct sigcheck *check);

/* The SuperBlob: each slot once and every byte owned by one blob; the kind of the signature; what
 * the CodeDirectories must have in common. */
void sigcheck_index(const struct sigcheck *check);
void sigcheck_kinds(const struct sigcheck *check);
void sigcheck_alternates(const struct sigcheck *check);

/* All that one CodeDirectory states about itself and the image. */
void sigcheck_directory(const struct sigcheck *check, const struct codesig_directory *cd);

/* The pages of all CodeDirectories, hashed in one pass: a set for each, to be freed; NULL, and a
 * finding, when a signal came. */
struct pagehash *sigcheck_hash_pages(const struct sigcheck *check);

/* The bad ones among the pages of one CodeDirectory. */
void sigcheck_report_pages(const struct sigcheck *check, const struct codesig_directory *cd,
                           const struct pagehash *set);

/* Every special slot of one CodeDirectory. */
void sigcheck_slots(const struct sigcheck *check, const struct codesig_directory *cd);

/* What a special slot seals, for places: "Info.plist", "entitlements", ... */
const char *sigcheck_slot_name(uint32_t slot);

/* The scatter table of a CodeDirectory, which says which pages its hashes are of. */
void sigcheck_scatter(const struct sigcheck *check, const struct codesig_directory *cd);

/* The flags of the executable segment that the entitlements ask for. */
uint64_t sigcheck_exec_flags(const struct codesig *sig);

/* That the entitlements can be read and that the DER ones say what the XML ones say; that the
 * requirement set and the launch constraints can be decoded. */
void sigcheck_entitlements(const struct sigcheck *check);
void sigcheck_requirements(const struct sigcheck *check);
void sigcheck_constraints(const struct sigcheck *check);

/* The CMS signature, when there is one. */
void sigcheck_cms(const struct sigcheck *check);

#endif

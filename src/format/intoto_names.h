/*
 * Purpose: the constant words of provenance.intoto.json, shared by its writer and its reader.
 *
 * Layer: format.
 *
 * Sources: in-toto Attestation Framework, Statement v1 (_type); SLSA v1.0
 *     provenance (predicateType). Build type and builder are names of our own.
 */
#ifndef HALLMARK_FORMAT_INTOTO_NAMES_H
#define HALLMARK_FORMAT_INTOTO_NAMES_H

#define INTOTO_STATEMENT  "https://in-toto.io/Statement/v1"
#define INTOTO_PREDICATE  "https://slsa.dev/provenance/v1"
#define INTOTO_BUILD_TYPE "urn:hallmark:release:1"
#define INTOTO_BUILDER    "urn:hallmark:pipeline:1"

/* SHA-256 over "<sha256>  <path>\n" of every file of the SDK, sorted by path. */
#define INTOTO_SDK_DIGEST "sha256OfSums"

#endif

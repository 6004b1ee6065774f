/*
 * Purpose: put questions to several programs at once. Part of pin.c.
 *
 * Layer: stage.
 *
 * Calling sequence: fill a list of `struct pin_question`, pin_ask(); each answer is in *answer, or
 *     stays NULL and *problem says why, unless it said something already.
 *
 * Ownership: questions borrow everything; answers and problems are the caller's.
 *
 * Errors: FAIL_SYSTEM, FAIL_SIGNAL. A program that hangs, fails, or answers what is not understood
 *     is a problem, not a failure.
 *
 * Determinism: depends on the programs alone: the environment is the one given, the directory "/",
 *     standard input empty.
 */
#ifndef HALLMARK_STAGE_PIN_ASK_H
#define HALLMARK_STAGE_PIN_ASK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/fail.h"
#include "stage/pin_cache.h"

#define PIN_QUESTIONS_MAX 8u
#define PIN_WORDS_MAX     6u

/* Makes the answer out of what was printed; NULL, perhaps with *problem, when it is no answer. */
typedef char *pin_take(const char *text, char **problem);

struct pin_question {
    const char *argv[PIN_WORDS_MAX]; /* the program by its absolute path, and its arguments */
    const char *const *environment;
    bool merged; /* take what it prints as an error too */
    pin_take *take;
    char **answer;
    char **problem;
    /* To remember the answer: the question's name in the cache, and the program's digest. NULL:
     * it is asked each time. */
    const char *cache_name;
    const char *digest;
};

/* At most PIN_QUESTIONS_MAX of them. */
int pin_ask(struct pin_question *questions, size_t count, struct pin_cache *cache,
            unsigned limit_sec, struct fail *fail) must_check;

/* The word behind `mark` in the first line; NULL when it is not there, or has a character that
 * versions do not have. */
char *pin_word_behind(const char *text, const char *mark);

/* A pin_take: the first line, when it is an absolute path of something that is there: its real
 * path. */
char *pin_take_path(const char *text, char **problem);

#endif

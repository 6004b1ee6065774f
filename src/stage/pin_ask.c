#include "stage/pin_ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/own.h"
#include "port/child.h"

#define WORD_LEN_MAX 64u

char *pin_word_behind(const char *text, const char *mark)
{
    size_t line_len = strcspn(text, "\r\n");
    const char *at = strstr(text, mark);
    if (at == NULL || (size_t)(at - text) >= line_len)
        return NULL;
    at += strlen(mark);
    size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.+-~_");
    return len == 0 || len > WORD_LEN_MAX ? NULL : mem_copy(at, len);
}

char *pin_take_path(const char *text, char **problem)
{
    own_mem char *line = mem_copy(text, strcspn(text, "\r\n"));
    if (line[0] != '/')
        return NULL;
    char *real = realpath(line, NULL);
    if (real == NULL && *problem == NULL) {
        own_mem char *shown = text_clean(line);
        *problem = text_printf("'%s', which it names, is not there", shown);
    }
    return real;
}

static char *first_line(const struct buf *text)
{
    own_mem char *line = mem_copy(buf_text(text), strcspn(buf_text(text), "\r\n"));
    return text_clean(line);
}

static void take_answer(struct pin_question *question, const struct child *child)
{
    char **problem = question->problem;
    if (!child_succeeded(child)) {
        own_fail struct fail why = {0};
        own_mem char *said = first_line(&child->errors);
        child_fail(child, &why);
        if (*problem == NULL)
            *problem =
                *said == '\0' ? text_copy(why.message) : text_printf("%s: %s", why.message, said);
        return;
    }
    *question->answer = question->take(buf_text(&child->output), problem);
    if (*question->answer == NULL && *problem == NULL)
        *problem = text_printf("its answer to %s is not understood", question->argv[1]);
}

static void children_release(struct child (*children)[PIN_QUESTIONS_MAX])
{
    for (size_t i = 0; i < PIN_QUESTIONS_MAX; i++)
        child_release(&(*children)[i]);
}

int pin_ask(struct pin_question *questions, size_t count, struct pin_cache *cache,
            unsigned limit_sec, struct fail *fail)
{
    __attribute__((cleanup(children_release))) struct child children[PIN_QUESTIONS_MAX] = {0};
    struct pin_question *asked[PIN_QUESTIONS_MAX] = {0};
    size_t asked_count = 0;
    for (size_t i = 0; i < count && asked_count < PIN_QUESTIONS_MAX; i++) {
        struct pin_question *question = &questions[i];
        if (question->cache_name != NULL)
            *question->answer =
                pin_cache_answer(cache, question->cache_name, question->digest, question->argv[0]);
        if (*question->answer != NULL)
            continue;
        children[asked_count] = (struct child){.program = question->argv[0],
                                               .argv = question->argv,
                                               .envp = question->environment,
                                               .directory = "/",
                                               .merge = question->merged,
                                               .limit_sec = limit_sec};
        asked[asked_count++] = question;
    }
    if (asked_count > 0 && child_run_all(children, asked_count, 0, fail) < 0)
        return -1;
    for (size_t i = 0; i < asked_count; i++) {
        take_answer(asked[i], &children[i]);
        if (*asked[i]->answer != NULL && asked[i]->cache_name != NULL)
            pin_cache_add_answer(cache, asked[i]->cache_name, asked[i]->digest, asked[i]->argv[0],
                                 *asked[i]->answer);
    }
    return 0;
}

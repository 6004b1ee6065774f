#include "stage/pin_fields.h"

#include <stdlib.h>
#include <string.h>

#include "base/own.h"

void pin_fields_release(struct pin_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        free(fields->list[i].pinned);
        free(fields->list[i].found);
        free(fields->list[i].problem);
    }
    fields->count = 0;
}

static char *copy(const char *text)
{
    return text == NULL ? NULL : text_copy(text);
}

static void add(struct pin_fields *fields, const char *name, const char *pinned, const char *found,
                const char *problem, bool ok)
{
    if (fields->count == PIN_FIELDS_MAX)
        own_stop("more fields of a pin than there is room for");
    fields->list[fields->count++] = (struct pin_field){.name = name,
                                                       .pinned = copy(pinned),
                                                       .found = copy(found),
                                                       .problem = copy(problem),
                                                       .ok = ok};
}

void pin_fields_add(struct pin_fields *fields, const char *name, const char *pinned,
                    const char *found, const char *problem)
{
    bool same = found != NULL && (pinned == NULL || strcmp(pinned, found) == 0);
    add(fields, name, pinned, found, problem, same && problem == NULL);
}

void pin_fields_add_place(struct pin_fields *fields, const char *name, const char *pinned,
                          const char *found, const char *problem)
{
    add(fields, name, pinned, found, problem, found != NULL && problem == NULL);
}

void pin_fields_judge(struct buf *out, const struct pin_fields *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        const struct pin_field *field = &fields->list[i];
        if (field->ok)
            continue;
        buf_printf(out, "%s%s: expected %s, found %s", out->len == 0 ? "" : "; ", field->name,
                   field->pinned == NULL ? "one" : field->pinned,
                   field->found == NULL ? "none" : field->found);
        if (field->problem != NULL)
            buf_printf(out, " (%s)", field->problem);
    }
}

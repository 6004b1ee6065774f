#include "base/finding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void finding_clear(struct finding *finding)
{
    free(finding->slice);
    free(finding->place);
    free(finding->structure);
    free(finding->expected);
    free(finding->actual);
    free(finding->remedy);
    *finding = (struct finding){0};
}

struct finding *finding_add(struct findings *findings, enum finding_level level, const char *id)
{
    if (level == FINDING_ERROR)
        findings->error_count++;
    if (findings->count >= FINDINGS_MAX) {
        findings->dropped++;
        finding_clear(&findings->overflow);
        findings->overflow.level = level;
        findings->overflow.id = id;
        return &findings->overflow;
    }
    findings->list =
        mem_grow(findings->list, findings->count, &findings->capacity, sizeof *findings->list);
    struct finding *finding = &findings->list[findings->count++];
    *finding = (struct finding){.level = level, .id = id};
    return finding;
}

#define SET_TEXT(field)                          \
    do {                                         \
        va_list args;                            \
        va_start(args, format);                  \
        char *text = text_vprintf(format, args); \
        va_end(args);                            \
        free(finding->field);                    \
        finding->field = text;                   \
    } while (0)

void finding_place(struct finding *finding, const char *format, ...)
{
    SET_TEXT(place);
}

void finding_vat(struct finding *finding, uint64_t offset, const char *format, va_list args)
{
    char *structure = text_vprintf(format, args);
    free(finding->structure);
    finding->structure = structure;
    finding->has_offset = true;
    finding->offset = offset;
    finding_place(finding, "%s at offset %" PRIu64, structure, offset);
}

void finding_at(struct finding *finding, uint64_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    finding_vat(finding, offset, format, args);
    va_end(args);
}

void finding_detail(struct finding *finding, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *detail = text_vprintf(format, args);
    va_end(args);
    char *place = text_printf("%s%s", finding->place, detail);
    free(finding->place);
    finding->place = place;
}

void finding_expected(struct finding *finding, const char *format, ...)
{
    SET_TEXT(expected);
}

void finding_actual(struct finding *finding, const char *format, ...)
{
    SET_TEXT(actual);
}

void finding_remedy(struct finding *finding, const char *format, ...)
{
    SET_TEXT(remedy);
}

void finding_error(struct findings *findings, const char *id, const char *place,
                   const char *expected, const char *actual)
{
    struct finding *finding = finding_add(findings, FINDING_ERROR, id);
    finding->place = text_copy(place);
    finding->expected = expected == NULL ? NULL : text_copy(expected);
    finding->actual = actual == NULL ? NULL : text_copy(actual);
}

void findings_prefix(struct findings *findings, size_t first, const char *prefix)
{
    for (size_t i = first; i < findings->count; i++) {
        struct finding *finding = &findings->list[i];
        char *place = finding->place == NULL ? text_copy(prefix)
                                             : text_printf("%s: %s", prefix, finding->place);
        free(finding->place);
        finding->place = place;
    }
}

void findings_shift(struct findings *findings, size_t first, uint64_t base)
{
    for (size_t i = first; i < findings->count; i++) {
        struct finding *finding = &findings->list[i];
        own_mem char *structure = steal_mem(&finding->structure);
        if (finding->has_offset)
            finding_at(finding, base + finding->offset, "%s", structure);
    }
}

void findings_slice(struct findings *findings, size_t first, const char *slice)
{
    for (size_t i = first; i < findings->count; i++) {
        free(findings->list[i].slice);
        findings->list[i].slice = text_copy(slice);
    }
}

void findings_be_strict(struct findings *findings, size_t first)
{
    for (size_t i = first; i < findings->count; i++) {
        findings->error_count += findings->list[i].level != FINDING_ERROR;
        findings->list[i].level = FINDING_ERROR;
    }
}

void findings_take(struct findings *to, struct findings *from)
{
    size_t dropped_errors = from->error_count;
    for (size_t i = 0; i < from->count; i++) {
        struct finding *source = &from->list[i];
        if (source->level == FINDING_ERROR)
            dropped_errors--;
        struct finding *target = finding_add(to, source->level, source->id);
        *target = *source;
        *source = (struct finding){0};
    }
    to->dropped += from->dropped;
    to->error_count += dropped_errors;
    findings_release(from);
}

static void print_text(const char *label, const char *text, FILE *stream)
{
    if (text == NULL)
        return;
    own_mem char *clean = text_clean(text);
    fprintf(stream, "%s%s\n", label, clean);
}

void finding_print(const struct finding *finding, FILE *stream, bool color)
{
    bool bad = finding->level == FINDING_ERROR;
    const char *tint = !color ? "" : bad ? "\033[1;31m" : "\033[1;33m";
    fprintf(stream, "%s%s%s %s", tint, bad ? "finding" : "warning", color ? "\033[0m" : "",
            finding->id);
    if (finding->place == NULL)
        fputc('\n', stream);
    print_text(": ", finding->place, stream);
    print_text("  expected: ", finding->expected, stream);
    print_text("  actual:   ", finding->actual, stream);
    print_text("  remedy:   ", finding->remedy, stream);
}

void findings_print(const struct findings *findings, FILE *stream, bool color)
{
    for (size_t i = 0; i < findings->count; i++)
        finding_print(&findings->list[i], stream, color);
    if (findings->dropped != 0)
        fprintf(stream, "and %zu more findings\n", findings->dropped);
}

const char *findings_count_text(const struct findings *findings)
{
    static _Thread_local char text[40];
    snprintf(text, sizeof text, "%zu finding%s", findings->error_count,
             findings->error_count == 1 ? "" : "s");
    return text;
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        finding_clear(&findings->list[i]);
    finding_clear(&findings->overflow);
    free(findings->list);
    *findings = (struct findings){0};
}

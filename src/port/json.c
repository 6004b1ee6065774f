#include "port/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void json_out_of_memory(void)
{
    own_stop("out of memory while making a JSON document");
}

static json_t *made(json_t *value)
{
    if (value == NULL)
        json_out_of_memory();
    return value;
}

void js_release(json_t **value)
{
    json_decref(*value);
    *value = NULL;
}

json_t *js_object(void)
{
    return made(json_object());
}

json_t *js_array(void)
{
    return made(json_array());
}

/* Text that is not UTF-8 as a whole: every byte over 0x7f is written as "\xNN". */
static json_t *escaped_text(const char *text)
{
    own_buf struct buf out = {0};
    for (const unsigned char *p = (const unsigned char *)text; *p != '\0'; p++) {
        if (*p > 0x7f)
            buf_printf(&out, "\\x%02x", *p);
        else
            buf_putc(&out, (char)*p);
    }
    return made(json_string(buf_text(&out)));
}

json_t *js_text(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *value = json_string(text);
    return value != NULL ? value : escaped_text(text);
}

json_t *js_printf(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *text = text_vprintf(format, args);
    va_end(args);
    return js_text(text);
}

json_t *js_uint(uint64_t value)
{
    if (value > INT64_MAX) /* JSON integers end there in jansson: as text */
        return js_printf("%llu", (unsigned long long)value);
    return made(json_integer((json_int_t)value));
}

json_t *js_bool(int value)
{
    return json_boolean(value);
}

void js_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) < 0)
        json_out_of_memory();
}

void js_push(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) < 0)
        json_out_of_memory();
}

static void set_optional(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        js_set(object, key, js_text(text));
}

json_t *js_findings(const struct findings *findings)
{
    json_t *array = js_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->list[i];
        json_t *object = js_object();
        js_set(object, "level", js_text(finding->level == FINDING_ERROR ? "error" : "warning"));
        js_set(object, "id", js_text(finding->id));
        set_optional(object, "slice", finding->slice);
        set_optional(object, "place", finding->place);
        set_optional(object, "structure", finding->structure);
        if (finding->has_offset)
            js_set(object, "offset", js_uint(finding->offset));
        set_optional(object, "expected", finding->expected);
        set_optional(object, "actual", finding->actual);
        set_optional(object, "remedy", finding->remedy);
        js_push(array, object);
    }
    return array;
}

static int append_piece(const char *piece, size_t len, void *out)
{
    buf_append(out, piece, len);
    return 0;
}

void js_print(struct buf *out, const json_t *value)
{
    if (json_dump_callback(value, append_piece, out, JSON_INDENT(2) | JSON_ENCODE_ANY) < 0)
        json_out_of_memory();
    buf_putc(out, '\n');
}

int js_parse(json_t **out, struct view text, const char *name, struct fail *fail)
{
    json_error_t error;
    *out = json_loadb(text.len == 0 ? "" : (const char *)text.data, (size_t)text.len,
                      JSON_REJECT_DUPLICATES, &error);
    if (*out != NULL)
        return 0;
    return fail_set(fail, FAIL_INPUT, "'%s' is not valid JSON: %s (line %d, column %d)", name,
                    error.text, error.line, error.column);
}

const char *js_get_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

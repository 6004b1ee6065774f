#include "config/doc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/own.h"
#include "base/utf8.h"
#include "config/docbytes.h"

/* Deeper than any schema; the schema itself ends the walk before. */
#define DEPTH_MAX 16u

/* Keys and values that are quoted in messages are cut to this. */
#define QUOTE_MAX 100

struct walk {
    yaml_parser_t parser;
    struct doc *doc;
    struct fail *fail;
    unsigned depth;
};

#define own_event __attribute__((cleanup(event_release)))
static void event_release(yaml_event_t *event)
{
    yaml_event_delete(event);
}

static void parser_release(struct walk *walk)
{
    yaml_parser_delete(&walk->parser);
}

static int fail_at(struct walk *walk, yaml_mark_t mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail_at(struct walk *walk, yaml_mark_t mark, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *problem = text_vprintf(format, args);
    va_end(args);
    return fail_set(walk->fail, FAIL_INPUT, "%s in '%s' line %zu column %zu", problem,
                    walk->doc->name, mark.line + 1, mark.column + 1);
}

static void place_add(struct doc *doc, const char *path, yaml_mark_t mark)
{
    doc->places = mem_grow(doc->places, doc->count, &doc->capacity, sizeof(*doc->places));
    doc->places[doc->count++] = (struct doc_place){
        .path = text_copy(path), .line = mark.line + 1, .column = mark.column + 1};
}

static int next_event(struct walk *walk, yaml_event_t *event)
{
    yaml_event_delete(event);
    if (yaml_parser_parse(&walk->parser, event))
        return 0;
    const yaml_parser_t *parser = &walk->parser;
    memset(event, 0, sizeof(*event));
    if (parser->error == YAML_MEMORY_ERROR)
        return fail_set(walk->fail, FAIL_SYSTEM, "out of memory while reading '%s'",
                        walk->doc->name);
    /* A reader error has a byte offset in place of a mark; such bytes were refused before. */
    return fail_at(walk, parser->problem_mark, "this is not YAML (%s%s%s)",
                   parser->problem ? parser->problem : "unknown problem",
                   parser->context ? ", " : "", parser->context ? parser->context : "");
}

static const char *shape_text(cyaml_type_e type)
{
    switch (type) {
    case CYAML_MAPPING:
        return "a mapping (key: value)";
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED:
        return "a list";
    case CYAML_INT:
    case CYAML_UINT:
    case CYAML_BOOL:
    case CYAML_ENUM:
    case CYAML_FLAGS:
    case CYAML_FLOAT:
    case CYAML_STRING:
    case CYAML_BITFIELD:
    case CYAML_IGNORE:
    case CYAML__TYPE_COUNT:
        break;
    }
    return "a single value";
}

/* Anchors and tags, on whatever node. */
static int check_plain(struct walk *walk, const yaml_event_t *event)
{
    const yaml_char_t *anchor = NULL;
    const yaml_char_t *tag = NULL;
    if (event->type == YAML_ALIAS_EVENT)
        return fail_at(walk, event->start_mark, "an alias ('*%.*s') is not allowed", QUOTE_MAX,
                       (const char *)event->data.alias.anchor);
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    if (anchor != NULL)
        return fail_at(walk, event->start_mark, "an anchor ('&%.*s') is not allowed", QUOTE_MAX,
                       (const char *)anchor);
    if (tag != NULL)
        return fail_at(walk, event->start_mark, "a tag ('%.*s') is not allowed", QUOTE_MAX,
                       (const char *)tag);
    return 0;
}

static int check_text(struct walk *walk, const yaml_event_t *event, const char *path)
{
    const char *bad =
        utf8_problem((struct view){event->data.scalar.value, event->data.scalar.length});
    if (bad == NULL)
        return 0;
    fail_at(walk, event->start_mark, "'%s' has %s", path, bad);
    return fail_hint(walk->fail, "write it on one line, or folded with '>-'");
}

static int check_enum(struct walk *walk, const yaml_event_t *event, const char *path,
                      const cyaml_schema_value_t *schema)
{
    const char *value = (const char *)event->data.scalar.value;
    for (uint32_t i = 0; i < schema->enumeration.count; i++)
        if (strcmp(schema->enumeration.strings[i].str, value) == 0)
            return 0;
    const char *dot = strrchr(path, '.');
    const char *key = dot == NULL ? path : dot + 1;
    fail_at(walk, event->start_mark, "unknown %s '%.*s'",
            strcmp(key, "arch") == 0 ? "architecture" : key, QUOTE_MAX, value);
    own_buf struct buf known = {0};
    for (uint32_t i = 0; i < schema->enumeration.count; i++)
        buf_printf(&known, "%s%s", i == 0 ? "" : ", ", schema->enumeration.strings[i].str);
    return fail_hint(walk->fail, "known: %s", buf_text(&known));
}

static int check_number(struct walk *walk, const yaml_event_t *event, const char *path,
                        const cyaml_schema_value_t *schema)
{
    const char *value = (const char *)event->data.scalar.value;
    size_t len = event->data.scalar.length;
    uint64_t limit = schema->data_size >= 8 ? UINT64_MAX : (1ull << (8 * schema->data_size)) - 1;
    bool plain = len > 0 && strspn(value, "0123456789") == len && (len == 1 || value[0] != '0');
    errno = 0;
    unsigned long long number = plain ? strtoull(value, NULL, 10) : 0;
    if (plain && errno == 0 && number <= limit)
        return 0;
    return fail_at(walk, event->start_mark,
                   "'%s' is '%.*s', which is not a decimal number up to %" PRIu64, path, QUOTE_MAX,
                   value, limit);
}

static int walk_scalar(struct walk *walk, const yaml_event_t *event, const char *path,
                       const cyaml_schema_value_t *schema)
{
    if (check_text(walk, event, path) < 0)
        return -1;
    switch (schema->type) {
    case CYAML_ENUM:
        return check_enum(walk, event, path, schema);
    case CYAML_UINT:
        return check_number(walk, event, path, schema);
    case CYAML_STRING:
        if (event->data.scalar.length < schema->string.min)
            return fail_at(walk, event->start_mark, "'%s' is empty", path);
        if (event->data.scalar.length > schema->string.max)
            return fail_at(walk, event->start_mark,
                           "'%s' has %zu bytes (at most %" PRIu32 " are allowed)", path,
                           event->data.scalar.length, schema->string.max);
        return 0;
    case CYAML_MAPPING:
    case CYAML_SEQUENCE:
    case CYAML_SEQUENCE_FIXED:
        return fail_at(walk, event->start_mark, "'%s' must be %s", path, shape_text(schema->type));
    case CYAML_INT:
    case CYAML_BOOL:
    case CYAML_FLAGS:
    case CYAML_FLOAT:
    case CYAML_BITFIELD:
    case CYAML_IGNORE:
    case CYAML__TYPE_COUNT:
        break; /* no schema here uses them */
    }
    return fail_set(walk->fail, FAIL_BUG, "the schema of '%s' has a type that is not handled",
                    path);
}

static int walk_value(struct walk *walk, yaml_event_t *event, const char *path,
                      const cyaml_schema_value_t *schema);

static int unknown_key(struct walk *walk, const yaml_event_t *event,
                       const cyaml_schema_field_t *fields)
{
    fail_at(walk, event->start_mark, "unknown key '%.*s'", QUOTE_MAX,
            (const char *)event->data.scalar.value);
    own_buf struct buf known = {0};
    for (size_t i = 0; fields[i].key != NULL; i++)
        buf_printf(&known, "%s%s", i == 0 ? "" : ", ", fields[i].key);
    return fail_hint(walk->fail, "known keys here: %s", buf_text(&known));
}

/* Finds the field of a key event; `seen` has one bit for each field. */
static int walk_key(struct walk *walk, const yaml_event_t *event,
                    const cyaml_schema_field_t *fields, uint64_t *seen, size_t *index)
{
    if (check_plain(walk, event) < 0)
        return -1;
    if (event->type != YAML_SCALAR_EVENT)
        return fail_at(walk, event->start_mark, "a key must be plain text");
    if (check_text(walk, event, "key") < 0)
        return -1;
    const char *key = (const char *)event->data.scalar.value;
    for (size_t i = 0; fields[i].key != NULL; i++) {
        if (strcmp(fields[i].key, key) != 0)
            continue;
        if ((*seen >> i & 1u) != 0)
            return fail_at(walk, event->start_mark, "key '%s' occurs twice", key);
        *seen |= 1ull << i;
        *index = i;
        return 0;
    }
    return unknown_key(walk, event, fields);
}

static int walk_mapping(struct walk *walk, yaml_event_t *event, const char *path,
                        const cyaml_schema_value_t *schema)
{
    const cyaml_schema_field_t *fields = schema->mapping.fields;
    yaml_mark_t start = event->start_mark;
    uint64_t seen = 0;
    for (;;) {
        if (next_event(walk, event) < 0)
            return -1;
        if (event->type == YAML_MAPPING_END_EVENT)
            break;
        size_t index = 0;
        if (walk_key(walk, event, fields, &seen, &index) < 0)
            return -1;
        own_mem char *below =
            text_printf("%s%s%s", path, path[0] == '\0' ? "" : ".", fields[index].key);
        place_add(walk->doc, below, event->start_mark);
        if (next_event(walk, event) < 0 || walk_value(walk, event, below, &fields[index].value) < 0)
            return -1;
    }
    for (size_t i = 0; fields[i].key != NULL; i++) {
        if ((seen >> i & 1u) != 0 || (fields[i].value.flags & CYAML_FLAG_OPTIONAL) != 0)
            continue;
        if (path[0] == '\0')
            return fail_at(walk, start, "key '%s' is missing", fields[i].key);
        return fail_at(walk, start, "key '%s' of '%s' is missing", fields[i].key, path);
    }
    return 0;
}

static int walk_sequence(struct walk *walk, yaml_event_t *event, const char *path,
                         const cyaml_schema_value_t *schema)
{
    yaml_mark_t start = event->start_mark;
    for (uint32_t count = 0;; count++) {
        if (next_event(walk, event) < 0)
            return -1;
        if (event->type == YAML_SEQUENCE_END_EVENT) {
            if (count < schema->sequence.min)
                return fail_at(walk, start, "'%s' is an empty list", path);
            return 0;
        }
        if (count >= schema->sequence.max)
            return fail_at(walk, event->start_mark, "'%s' has more than %" PRIu32 " entries", path,
                           schema->sequence.max);
        own_mem char *below = text_printf("%s[%" PRIu32 "]", path, count);
        place_add(walk->doc, below, event->start_mark);
        if (walk_value(walk, event, below, schema->sequence.entry) < 0)
            return -1;
    }
}

static int walk_value(struct walk *walk, yaml_event_t *event, const char *path,
                      const cyaml_schema_value_t *schema)
{
    if (check_plain(walk, event) < 0)
        return -1;
    if (event->type == YAML_SCALAR_EVENT && path[0] != '\0')
        return walk_scalar(walk, event, path, schema);
    bool matches = (event->type == YAML_MAPPING_START_EVENT && schema->type == CYAML_MAPPING) ||
                   (event->type == YAML_SEQUENCE_START_EVENT && schema->type == CYAML_SEQUENCE);
    if (!matches && path[0] == '\0')
        return fail_at(walk, event->start_mark, "the file must be %s", shape_text(schema->type));
    if (!matches)
        return fail_at(walk, event->start_mark, "'%s' must be %s", path, shape_text(schema->type));
    if (walk->depth >= DEPTH_MAX)
        return fail_at(walk, event->start_mark, "'%s' is nested too deeply", path);
    walk->depth++;
    int result = schema->type == CYAML_MAPPING ? walk_mapping(walk, event, path, schema)
                                               : walk_sequence(walk, event, path, schema);
    walk->depth--;
    return result;
}

static int walk_document(struct walk *walk, const cyaml_schema_value_t *schema)
{
    own_event yaml_event_t event = {0};
    if (next_event(walk, &event) < 0) /* the stream's start */
        return -1;
    if (next_event(walk, &event) < 0)
        return -1;
    if (event.type == YAML_STREAM_END_EVENT)
        return fail_set(walk->fail, FAIL_INPUT, "'%s' is empty", walk->doc->name);
    place_add(walk->doc, "", event.start_mark);
    if (next_event(walk, &event) < 0 || walk_value(walk, &event, "", schema) < 0)
        return -1;
    if (next_event(walk, &event) < 0) /* the document's end */
        return -1;
    if (next_event(walk, &event) < 0)
        return -1;
    if (event.type != YAML_STREAM_END_EVENT)
        return fail_at(walk, event.start_mark, "a second document is not allowed");
    return 0;
}

static int walk_text(struct doc *doc, struct view text, const cyaml_schema_value_t *schema,
                     struct fail *fail)
{
    __attribute__((cleanup(parser_release))) struct walk walk = {.doc = doc, .fail = fail};
    if (!yaml_parser_initialize(&walk.parser))
        return fail_set(fail, FAIL_SYSTEM, "libyaml cannot start (out of memory)");
    yaml_parser_set_encoding(&walk.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&walk.parser, text.data, (size_t)text.len);
    return walk_document(&walk, schema);
}

/* libcyaml's allocator: running out of memory stops the process like everywhere. */
static void *memory(void *context, void *pointer, size_t size)
{
    (void)context;
    if (size > 0)
        return mem_resize(pointer, 1, size);
    free(pointer);
    return NULL;
}

/* Keeps the first error that libcyaml reports, without its line end. */
__attribute__((format(printf, 3, 0))) static void keep_log(cyaml_log_t level, void *context,
                                                           const char *format, va_list args)
{
    char **kept = context;
    if (level < CYAML_LOG_ERROR || *kept != NULL)
        return;
    *kept = text_vprintf(format, args);
    (*kept)[strcspn(*kept, "\n")] = '\0';
}

int doc_load(struct doc *out, void *data, size_t data_len, struct view text, const char *name,
             const cyaml_schema_value_t *schema, struct fail *fail)
{
    out->name = name;
    if (docbytes_check(text, name, DOC_LEN_MAX, fail) < 0 || walk_text(out, text, schema, fail) < 0)
        return -1;
    own_mem char *log = NULL;
    cyaml_config_t config = {.log_fn = keep_log,
                             .log_ctx = &log,
                             .mem_fn = memory,
                             .log_level = CYAML_LOG_ERROR,
                             .flags = CYAML_CFG_NO_ALIAS};
    own_mem cyaml_data_t *loaded = NULL;
    cyaml_err_t error =
        cyaml_load_data(text.data, (size_t)text.len, &config, schema, &loaded, NULL);
    if (error != CYAML_OK)
        return fail_set(fail, FAIL_INPUT, "'%s' cannot be read: %s (%s)", name,
                        cyaml_strerror(error), log == NULL ? "no details" : log);
    memcpy(data, loaded, data_len);
    return 0;
}

void doc_free(void *data, size_t data_len, const cyaml_schema_value_t *schema)
{
    cyaml_config_t config = {.mem_fn = memory, .log_level = CYAML_LOG_ERROR};
    cyaml_free(&config, schema, mem_copy(data, data_len), 0);
    memset(data, 0, data_len);
}

static const struct doc_place *find_place(const struct doc *doc, const char *path, size_t len)
{
    for (size_t i = 0; i < doc->count; i++)
        if (strlen(doc->places[i].path) == len && memcmp(doc->places[i].path, path, len) == 0)
            return &doc->places[i];
    return NULL;
}

bool doc_has(const struct doc *doc, const char *path)
{
    return find_place(doc, path, strlen(path)) != NULL;
}

int doc_fail(const struct doc *doc, struct fail *fail, const char *path, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    own_mem char *problem = text_vprintf(format, args);
    va_end(args);
    size_t len = strlen(path);
    const struct doc_place *place = find_place(doc, path, len);
    while (place == NULL && len > 0) {
        while (len > 0 && path[len - 1] != '.' && path[len - 1] != '[')
            len--;
        len -= len > 0;
        place = find_place(doc, path, len);
    }
    if (place == NULL)
        return fail_set(fail, FAIL_INPUT, "%s in '%s'", problem, doc->name);
    return fail_set(fail, FAIL_INPUT, "%s in '%s' line %zu column %zu", problem, doc->name,
                    place->line, place->column);
}

void doc_release(struct doc *doc)
{
    for (size_t i = 0; i < doc->count; i++)
        free(doc->places[i].path);
    free(doc->places);
    *doc = (struct doc){0};
}

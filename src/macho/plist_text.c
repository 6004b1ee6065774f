#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "macho/plist_parts.h"

#define TEXT_SHOWN 200u /* bytes of a text in one line */
#define DATA_SHOWN 32u

static size_t child_count(const struct plist *list, const struct plist_node *node)
{
    size_t count = 0;
    for (size_t i = node->first; i != PLIST_NONE; i = list->nodes[i].next)
        count++;
    return count;
}

/* Not in the middle of a character. */
static size_t shortened(const char *text, size_t len)
{
    if (len <= TEXT_SHOWN)
        return len;
    len = TEXT_SHOWN;
    while (len > 0 && ((uint8_t)text[len] & 0xc0) == 0x80)
        len--;
    return len;
}

static void put_clean(struct buf *out, const char *text, size_t len)
{
    own_mem char *part = mem_copy(text, len);
    own_mem char *clean = text_clean(part);
    buf_puts(out, clean);
}

static void put_string(struct buf *out, const struct plist_node *node, size_t shown)
{
    buf_putc(out, '"');
    put_clean(out, node->bytes, shown);
    buf_putc(out, '"');
    if (shown < node->len)
        buf_printf(out, "... (%zu bytes)", node->len);
}

static void put_data(struct buf *out, const struct plist_node *node, size_t shown)
{
    buf_putc(out, '<');
    for (size_t i = 0; i < shown; i++)
        buf_printf(out, "%02x", (uint8_t)node->bytes[i]);
    buf_putc(out, '>');
    if (shown < node->len)
        buf_printf(out, "... (%zu bytes)", node->len);
}

/* Everything but dictionaries and arrays. */
static void put_scalar(struct buf *out, const struct plist_node *node, bool whole)
{
    switch (node->type) {
    case PLIST_STRING:
        put_string(out, node, whole ? node->len : shortened(node->bytes, node->len));
        break;
    case PLIST_DATA:
        put_data(out, node, whole || node->len < DATA_SHOWN ? node->len : DATA_SHOWN);
        break;
    case PLIST_INTEGER:
        buf_printf(out, "%" PRId64, node->number);
        break;
    case PLIST_BOOL:
        buf_puts(out, node->number ? "true" : "false");
        break;
    case PLIST_DATE:
        plist_put_date(out, node->number);
        break;
    case PLIST_REAL:
        buf_printf(out, "%.17g", node->real);
        break;
    case PLIST_DICT:
    case PLIST_ARRAY:
        break;
    }
}

void plist_value_text(struct buf *out, const struct plist *list, const struct plist_node *node)
{
    if (node->type != PLIST_DICT && node->type != PLIST_ARRAY) {
        put_scalar(out, node, false);
        return;
    }
    size_t count = child_count(list, node);
    buf_printf(out, "%s of %zu %s", node->type == PLIST_DICT ? "a dictionary" : "an array", count,
               count == 1 ? "value" : "values");
}

static void put_children(struct buf *out, const struct plist *list, const struct plist_node *parent,
                         unsigned indent);

/* What follows "key =" or "-", and the line end. */
static void put_value(struct buf *out, const struct plist *list, const struct plist_node *node,
                      unsigned indent)
{
    bool nested = node->type == PLIST_DICT || node->type == PLIST_ARRAY;
    if (nested && node->first != PLIST_NONE) {
        buf_putc(out, '\n');
        put_children(out, list, node, indent + 2);
        return;
    }
    buf_putc(out, ' ');
    if (nested)
        buf_puts(out, node->type == PLIST_DICT ? "{}" : "[]");
    put_scalar(out, node, true);
    buf_putc(out, '\n');
}

static void put_children(struct buf *out, const struct plist *list, const struct plist_node *parent,
                         unsigned indent)
{
    for (size_t i = parent->first; i != PLIST_NONE; i = list->nodes[i].next) {
        const struct plist_node *node = &list->nodes[i];
        buf_printf(out, "%*s", (int)indent, "");
        if (node->key)
            put_clean(out, node->key, strlen(node->key));
        buf_puts(out, node->key ? " =" : "-");
        put_value(out, list, node, indent);
    }
}

void plist_text(struct buf *out, const struct plist *list, unsigned indent)
{
    if (list->count == 0)
        return;
    const struct plist_node *root = &list->nodes[0];
    if (root->first != PLIST_NONE) {
        put_children(out, list, root, indent);
        return;
    }
    own_buf struct buf line = {0};
    put_value(&line, list, root, indent); /* " value" */
    buf_printf(out, "%*s%s", (int)indent, "", buf_text(&line) + 1);
}

static json_t *value_json(const struct plist *list, const struct plist_node *node)
{
    own_buf struct buf text = {0};
    json_t *result = NULL;
    switch (node->type) {
    case PLIST_DICT:
        result = js_object();
        for (size_t i = node->first; i != PLIST_NONE; i = list->nodes[i].next)
            js_set(result, list->nodes[i].key, value_json(list, &list->nodes[i]));
        return result;
    case PLIST_ARRAY:
        result = js_array();
        for (size_t i = node->first; i != PLIST_NONE; i = list->nodes[i].next)
            js_push(result, value_json(list, &list->nodes[i]));
        return result;
    case PLIST_STRING:
        return js_text(node->bytes);
    case PLIST_INTEGER:
        return json_integer(node->number);
    case PLIST_BOOL:
        return js_bool(node->number != 0);
    case PLIST_REAL:
        if (isfinite(node->real))
            return json_real(node->real);
        return js_printf("%g", node->real);
    case PLIST_DATA:
        for (size_t i = 0; i < node->len; i++)
            buf_printf(&text, "%02x", (uint8_t)node->bytes[i]);
        break;
    case PLIST_DATE:
        plist_put_date(&text, node->number);
        break;
    }
    return js_text(buf_text(&text));
}

json_t *plist_json(const struct plist *list)
{
    return list->count > 0 ? value_json(list, &list->nodes[0]) : js_object();
}

#include "macho/plist_parts.h"

#include <inttypes.h>
#include <string.h>

enum der_tag {
    DER_BOOLEAN = 0x01,
    DER_INTEGER = 0x02,
    DER_OCTETS = 0x04,
    DER_UTF8 = 0x0c,
    DER_SEQUENCE = 0x30,
    DER_SET = 0x31,          /* a dictionary of the older form */
    DER_ENTITLEMENTS = 0x70, /* [APPLICATION 16]: the root of the present form */
    DER_DICT = 0xb0,         /* [16] */
};

struct reader {
    struct view der;
    struct plist *out;
    struct fail *fail;
};

/* Where an element's content is; offsets count from the start of the whole. */
struct element {
    uint8_t tag;
    uint64_t start; /* of the tag */
    uint64_t at;    /* of the content */
    uint64_t end;
};

static int bad(const struct reader *reader, uint64_t offset, const char *problem)
{
    return fail_set(reader->fail, FAIL_INPUT,
                    "DER property list is malformed at offset %" PRIu64 ": %s", offset, problem);
}

/* The element at `at`, which must end at or before `end`. */
static int read_element(const struct reader *reader, struct element *out, uint64_t at, uint64_t end)
{
    *out = (struct element){.start = at};
    if (end - at < 2)
        return bad(reader, at, "it ends early");
    out->tag = reader->der.data[at];
    uint64_t len = reader->der.data[at + 1];
    at += 2;
    if (len >= 0x80) {
        uint64_t count = len & 0x7f;
        if (count == 0 || count > 4)
            return bad(reader, out->start, "a length that DER does not have");
        if (end - at < count)
            return bad(reader, out->start, "it ends early");
        len = 0;
        for (uint64_t i = 0; i < count; i++)
            len = len << 8 | reader->der.data[at + i];
        if (len < 0x80 || len >> (8 * (count - 1)) == 0)
            return bad(reader, out->start, "a length that is not minimal");
        at += count;
    }
    if (len > end - at)
        return bad(reader, out->start, "an element reaches behind the one around it");
    out->at = at;
    out->end = at + len;
    return 0;
}

static int set_bool(const struct reader *reader, const struct element *element, size_t index)
{
    if (element->end - element->at != 1)
        return bad(reader, element->start, "a malformed truth value");
    uint8_t byte = reader->der.data[element->at];
    if (byte != 0 && byte != 0xff && byte != 1)
        return bad(reader, element->start, "a malformed truth value");
    reader->out->nodes[index].number = byte != 0;
    return 0;
}

static int read_integer(const struct reader *reader, const struct element *element, int64_t *out)
{
    const uint8_t *bytes = reader->der.data + element->at;
    uint64_t len = element->end - element->at;
    if (len == 0 || len > 8)
        return bad(reader, element->start, "an integer of no or of more than 64 bits");
    if (len > 1 && (bytes[0] == 0 || bytes[0] == 0xff) && (bytes[0] ^ bytes[1]) < 0x80)
        return bad(reader, element->start, "an integer that is not minimal");
    uint64_t number = bytes[0] & 0x80 ? UINT64_MAX : 0;
    for (uint64_t i = 0; i < len; i++)
        number = number << 8 | bytes[i];
    *out = (int64_t)number;
    return 0;
}

static int set_bytes(const struct reader *reader, const struct element *element, size_t index)
{
    const uint8_t *bytes = reader->der.data + element->at;
    size_t len = (size_t)(element->end - element->at);
    if (element->tag == DER_UTF8 && !plist_is_text(bytes, len))
        return bad(reader, element->start, "a text that is not UTF-8");
    return plist_set_bytes(reader->out, index, bytes, len)
               ? 0
               : bad(reader, element->start, PLIST_TOO_LARGE);
}

static int read_value(const struct reader *reader, const struct element *element, unsigned depth,
                      size_t *index);

static int read_array(const struct reader *reader, const struct element *array, unsigned depth,
                      size_t index)
{
    size_t last = PLIST_NONE;
    for (uint64_t at = array->at; at < array->end;) {
        struct element element = {0};
        size_t child = 0;
        if (read_element(reader, &element, at, array->end) < 0 ||
            read_value(reader, &element, depth + 1, &child) < 0)
            return -1;
        plist_link(reader->out, index, &last, child);
        at = element.end;
    }
    return 0;
}

/* One SEQUENCE { UTF8String key, value } of a dictionary. */
static int read_pair(const struct reader *reader, const struct element *pair, unsigned depth,
                     size_t *child)
{
    struct element key = {0};
    struct element value = {0};
    if (pair->tag != DER_SEQUENCE)
        return bad(reader, pair->start, "a dictionary with something that is no pair");
    if (read_element(reader, &key, pair->at, pair->end) < 0)
        return -1;
    const uint8_t *bytes = reader->der.data + key.at;
    size_t len = (size_t)(key.end - key.at);
    if (key.tag != DER_UTF8 || !plist_is_text(bytes, len))
        return bad(reader, key.start, "a key that is no UTF-8 text");
    if (read_element(reader, &value, key.end, pair->end) < 0 ||
        read_value(reader, &value, depth + 1, child) < 0)
        return -1;
    if (value.end != pair->end)
        return bad(reader, value.end, "a pair with more than a key and a value");
    return plist_set_key(reader->out, *child, bytes, len) ? 0
                                                          : bad(reader, key.start, PLIST_TOO_LARGE);
}

static int read_dict(const struct reader *reader, const struct element *dict, unsigned depth,
                     size_t index)
{
    size_t last = PLIST_NONE;
    for (uint64_t at = dict->at; at < dict->end;) {
        struct element pair = {0};
        size_t child = 0;
        if (read_element(reader, &pair, at, dict->end) < 0 ||
            read_pair(reader, &pair, depth, &child) < 0)
            return -1;
        plist_link(reader->out, index, &last, child);
        at = pair.end;
    }
    if (plist_repeats_key(reader->out, index))
        return bad(reader, dict->start, "a key occurs twice in a dictionary");
    return 0;
}

static int type_of(uint8_t tag)
{
    switch ((enum der_tag)tag) {
    case DER_BOOLEAN:
        return PLIST_BOOL;
    case DER_INTEGER:
        return PLIST_INTEGER;
    case DER_OCTETS:
        return PLIST_DATA;
    case DER_UTF8:
        return PLIST_STRING;
    case DER_SEQUENCE:
        return PLIST_ARRAY;
    case DER_SET:
    case DER_DICT:
        return PLIST_DICT;
    case DER_ENTITLEMENTS:
        break;
    }
    return -1;
}

static int read_value(const struct reader *reader, const struct element *element, unsigned depth,
                      size_t *index)
{
    int type = type_of(element->tag);
    uint8_t other = reader->out->form == PLIST_FORM_DER ? DER_SET : DER_DICT;
    if (type < 0 || element->tag == other)
        return bad(reader, element->start, "an element that is no value");
    if (depth >= PLIST_DEPTH_MAX)
        return bad(reader, element->start, PLIST_TOO_DEEP);
    if (!plist_add(reader->out, (enum plist_type)type, index))
        return bad(reader, element->start, PLIST_TOO_MANY);
    if (type == PLIST_DICT)
        return read_dict(reader, element, depth, *index);
    if (type == PLIST_ARRAY)
        return read_array(reader, element, depth, *index);
    if (type == PLIST_BOOL)
        return set_bool(reader, element, *index);
    if (type == PLIST_INTEGER)
        return read_integer(reader, element, &reader->out->nodes[*index].number);
    return set_bytes(reader, element, *index);
}

/* The dictionary inside of [APPLICATION 16], behind the version. */
static int open_entitlements(const struct reader *reader, struct element *element)
{
    struct element outer = *element;
    struct element version = {0};
    int64_t number = 0;
    if (read_element(reader, &version, outer.at, outer.end) < 0)
        return -1;
    if (version.tag != DER_INTEGER)
        return bad(reader, version.start, "no version");
    if (read_integer(reader, &version, &number) < 0)
        return -1;
    if (number != 1)
        return bad(reader, version.start, "a version other than 1");
    if (read_element(reader, element, version.end, outer.end) < 0)
        return -1;
    if (element->tag != DER_DICT)
        return bad(reader, element->start, "the root is no dictionary");
    return element->end == outer.end ? 0 : bad(reader, element->end, "more than one value");
}

static int read_root(const struct reader *reader)
{
    struct element element = {0};
    size_t root = 0;
    if (read_element(reader, &element, 0, reader->der.len) < 0)
        return -1;
    if (element.end != reader->der.len)
        return bad(reader, element.end, "bytes behind the root");
    reader->out->form = element.tag == DER_SET ? PLIST_FORM_DER_SET : PLIST_FORM_DER;
    if (element.tag == DER_ENTITLEMENTS) {
        if (open_entitlements(reader, &element) < 0)
            return -1;
    } else if (element.tag != DER_SET) {
        return bad(reader, 0, "the root is no dictionary");
    }
    return read_value(reader, &element, 0, &root);
}

int plist_parse_der(struct plist *out, struct view der, struct fail *fail)
{
    struct reader reader = {.der = der, .out = out, .fail = fail};
    *out = (struct plist){.form = PLIST_FORM_DER};
    if (der.len > PLIST_LEN_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "DER property list is too large (%" PRIu64 " bytes, at most %u)", der.len,
                        PLIST_LEN_MAX);
    if (read_root(&reader) == 0)
        return 0;
    plist_release(out);
    return -1;
}

static void put_der(struct buf *out, uint8_t tag, const void *data, size_t len)
{
    uint8_t length[1 + sizeof(len)] = {0};
    size_t count = 0;
    buf_putc(out, (char)tag);
    if (len < 0x80) {
        length[count++] = (uint8_t)len;
    } else {
        unsigned bytes = 1;
        while (bytes < sizeof(len) && len >> (8 * bytes))
            bytes++;
        length[count++] = (uint8_t)(0x80 | bytes);
        while (bytes > 0)
            length[count++] = (uint8_t)(len >> (8 * --bytes));
    }
    buf_append(out, length, count);
    if (len > 0)
        buf_append(out, data, len);
}

/* The shortest two's complement form. */
static void put_integer(struct buf *out, int64_t number)
{
    uint8_t bytes[8] = {0};
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)((uint64_t)number >> (56 - 8 * i));
    size_t skip = 0;
    while (skip < 7 && ((bytes[skip] == 0 && !(bytes[skip + 1] & 0x80)) ||
                        (bytes[skip] == 0xff && (bytes[skip + 1] & 0x80))))
        skip++;
    put_der(out, DER_INTEGER, bytes + skip, 8 - skip);
}

static int put_value(struct buf *out, const struct plist *list, size_t index, struct fail *fail);

static int put_dict(struct buf *out, const struct plist *list, size_t index, struct fail *fail)
{
    size_t count = 0;
    own_mem struct plist_entry *order = plist_sorted(list, index, &count);
    own_buf struct buf body = {0};
    for (size_t i = 0; i < count; i++) {
        own_buf struct buf pair = {0};
        put_der(&pair, DER_UTF8, order[i].key, strlen(order[i].key));
        if (put_value(&pair, list, order[i].index, fail) < 0)
            return fail_while(fail, "encoding '%s'", order[i].key);
        put_der(&body, DER_SEQUENCE, pair.data, pair.len);
    }
    put_der(out, DER_DICT, body.data, body.len);
    return 0;
}

static int put_value(struct buf *out, const struct plist *list, size_t index, struct fail *fail)
{
    const struct plist_node *node = &list->nodes[index];
    own_buf struct buf body = {0};
    switch (node->type) {
    case PLIST_DICT:
        return put_dict(out, list, index, fail);
    case PLIST_ARRAY:
        for (size_t i = node->first; i != PLIST_NONE; i = list->nodes[i].next)
            if (put_value(&body, list, i, fail) < 0)
                return -1;
        put_der(out, DER_SEQUENCE, body.data, body.len);
        return 0;
    case PLIST_STRING:
        put_der(out, DER_UTF8, node->bytes, node->len);
        return 0;
    case PLIST_DATA:
        put_der(out, DER_OCTETS, node->bytes, node->len);
        return 0;
    case PLIST_INTEGER:
        put_integer(out, node->number);
        return 0;
    case PLIST_BOOL:
        put_der(out, DER_BOOLEAN, node->number ? "\xff" : "\0", 1);
        return 0;
    case PLIST_DATE:
    case PLIST_REAL:
        break;
    }
    return fail_set(fail, FAIL_INPUT, "entitlements can hold no date and no real number");
}

int plist_encode_der(struct buf *out, const struct plist *list, struct fail *fail)
{
    if (list->count == 0 || list->nodes[0].type != PLIST_DICT)
        return fail_set(fail, FAIL_INPUT, "entitlements are no dictionary");
    own_buf struct buf body = {0};
    put_integer(&body, 1);
    if (put_dict(&body, list, 0, fail) < 0)
        return -1;
    put_der(out, DER_ENTITLEMENTS, body.data, body.len);
    return 0;
}

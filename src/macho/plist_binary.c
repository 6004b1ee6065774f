#include "macho/plist_parts.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

/*
 * "bplist00", objects, a table of their offsets, and 32 bytes that describe the table. Objects
 * refer to each other by number: one can be used many times, or by itself. What is read is the
 * tree; depth, number of values and bytes are limited there.
 */
#define HEADER_LEN  8u
#define TRAILER_LEN 32u

enum marker {
    MARKER_FALSE = 0x08,
    MARKER_TRUE = 0x09,
    MARKER_DATE = 0x33,
    /* With a size or count in the lower half: */
    MARKER_INTEGER = 0x10,
    MARKER_REAL = 0x20,
    MARKER_DATA = 0x40,
    MARKER_ASCII = 0x50,
    MARKER_UTF16 = 0x60,
    MARKER_UTF8 = 0x70,
    MARKER_ARRAY = 0xa0,
    MARKER_DICT = 0xd0,
};

#define YEAR_2001_SINCE_1970 INT64_C(978307200)

struct reader {
    struct view bytes;
    uint8_t offset_len;
    uint8_t ref_len;
    uint64_t object_count;
    uint64_t table; /* offset of the offset table; objects lie before it */
    struct plist *out;
    struct fail *fail;
};

static int bad(const struct reader *reader, uint64_t offset, const char *problem)
{
    return fail_set(reader->fail, FAIL_INPUT,
                    "binary property list is malformed at offset %" PRIu64 ": %s", offset, problem);
}

/* `len` bytes (1 to 8), which are there, as a number. */
static uint64_t number_at(const struct reader *reader, uint64_t offset, uint64_t len)
{
    uint64_t number = 0;
    for (uint64_t i = 0; i < len; i++)
        number = number << 8 | reader->bytes.data[offset + i];
    return number;
}

/* The next `len` bytes before the table, behind `*at`, which moves. */
static int take(const struct reader *reader, uint64_t *at, uint64_t len)
{
    if (len > reader->table - *at)
        return bad(reader, *at, "an object reaches into the offset table");
    *at += len;
    return 0;
}

/* The offset of an object by number. */
static int find_object(const struct reader *reader, uint64_t *out, uint64_t from, uint64_t ref)
{
    if (ref >= reader->object_count)
        return bad(reader, from, "a reference to an object that is not there");
    *out = number_at(reader, reader->table + ref * reader->offset_len, reader->offset_len);
    if (*out < HEADER_LEN || *out >= reader->table)
        return bad(reader, reader->table + ref * reader->offset_len,
                   "an offset that is not among the objects");
    return 0;
}

/* An integer of 2^power bytes at `*at`: up to four bytes are not signed, eight are. */
static int read_integer(const struct reader *reader, int64_t *out, uint64_t *at, unsigned power)
{
    uint64_t start = *at;
    if (power > 4)
        return bad(reader, start, "an integer of an unknown size");
    if (take(reader, at, UINT64_C(1) << power) < 0)
        return -1;
    uint64_t high = power == 4 ? number_at(reader, start, 8) : 0;
    uint64_t low = power == 4 ? number_at(reader, start + 8, 8)
                              : number_at(reader, start, UINT64_C(1) << power);
    if (power == 4 && high != (low >> 63 ? UINT64_MAX : 0))
        return bad(reader, start, "an integer of more than 64 bits");
    *out = (int64_t)low;
    return 0;
}

/* The count of an object whose marker was at `*at` - 1: in the marker, or behind it. */
static int read_count(const struct reader *reader, uint64_t *out, uint64_t *at, uint8_t marker)
{
    int64_t number = marker & 0x0f;
    if (number == 0x0f) {
        uint64_t start = *at;
        if (take(reader, at, 1) < 0)
            return -1;
        uint8_t inner = reader->bytes.data[start];
        if ((inner & 0xf0) != MARKER_INTEGER)
            return bad(reader, start, "a count that is no integer");
        if (read_integer(reader, &number, at, inner & 0x0f) < 0)
            return -1;
        if (number < 0)
            return bad(reader, start, "a negative count");
    }
    *out = (uint64_t)number;
    return 0;
}

static int read_double(const struct reader *reader, double *out, uint64_t *at, uint64_t len)
{
    uint64_t start = *at;
    if (len != sizeof(float) && len != sizeof(double))
        return bad(reader, start, "a real number of an unknown size");
    if (take(reader, at, len) < 0)
        return -1;
    uint64_t bits = number_at(reader, start, len);
    uint32_t bits32 = (uint32_t)bits;
    float single = 0;
    memcpy(&single, &bits32, sizeof(single));
    memcpy(out, &bits, sizeof(*out));
    if (len == sizeof(float))
        *out = (double)single;
    return 0;
}

static int read_date(const struct reader *reader, int64_t *out, uint64_t at)
{
    uint64_t start = at;
    double since_2001 = 0;
    if (read_double(reader, &since_2001, &at, sizeof(double)) < 0)
        return -1;
    if (!(since_2001 > -1e12 && since_2001 < 1e12)) /* not a number fails too */
        return bad(reader, start, "a date outside of the years 0 to 9999");
    int64_t seconds = (int64_t)since_2001;
    seconds -= (double)seconds > since_2001; /* parts of a second before it: round down */
    *out = seconds + YEAR_2001_SINCE_1970;
    if (!plist_date_fits(*out))
        return bad(reader, start, "a date outside of the years 0 to 9999");
    return 0;
}

/* UTF-16, big-endian, as UTF-8; false when it is none. */
static bool convert_utf16(struct buf *out, const uint8_t *bytes, uint64_t len)
{
    for (uint64_t i = 0; i < len; i += 2) {
        uint32_t unit = (uint32_t)bytes[i] << 8 | bytes[i + 1];
        if (unit >= 0xdc00 && unit < 0xe000)
            return false;
        if (unit >= 0xd800 && unit < 0xdc00) {
            uint32_t low = len - i >= 4 ? (uint32_t)bytes[i + 2] << 8 | bytes[i + 3] : 0;
            if (low < 0xdc00 || low >= 0xe000)
                return false;
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            i += 2;
        }
        utf8_put(out, unit);
    }
    return true;
}

static bool is_ascii(const uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (bytes[i] >= 0x80)
            return false;
    return true;
}

/* The bytes of a text or of data; `at` is behind the marker. `text` is where UTF-16 is
 * converted to. */
static int read_bytes(const struct reader *reader, struct view *out, struct buf *text, uint64_t at,
                      uint8_t marker)
{
    uint64_t count = 0;
    uint64_t start = at;
    uint8_t kind = marker & 0xf0;
    if (read_count(reader, &count, &at, marker) < 0)
        return -1;
    uint64_t from = at;
    if (count > PLIST_LEN_MAX)
        return bad(reader, start, "a count that is too large");
    if (take(reader, &at, kind == MARKER_UTF16 ? 2 * count : count) < 0)
        return -1;
    *out = (struct view){reader->bytes.data + from, at - from};
    if (kind == MARKER_DATA)
        return 0;
    if (kind == MARKER_UTF16) {
        if (!convert_utf16(text, out->data, out->len))
            return bad(reader, from, "a text that is not UTF-16");
        *out = (struct view){(const uint8_t *)buf_text(text), text->len};
    }
    if (kind == MARKER_ASCII && !is_ascii(out->data, (size_t)out->len))
        return bad(reader, from, "a text that is not ASCII");
    if (!plist_is_text(out->data, (size_t)out->len))
        return bad(reader, from, "a text that is not Unicode without NUL");
    return 0;
}

static int read_key(const struct reader *reader, size_t node, uint64_t from, uint64_t ref)
{
    own_buf struct buf text = {0};
    struct view key = {0};
    uint64_t at = 0;
    if (find_object(reader, &at, from, ref) < 0)
        return -1;
    uint8_t marker = reader->bytes.data[at];
    uint8_t kind = marker & 0xf0;
    if (kind != MARKER_ASCII && kind != MARKER_UTF16 && kind != MARKER_UTF8)
        return bad(reader, at, "a key that is no text");
    if (read_bytes(reader, &key, &text, at + 1, marker) < 0)
        return -1;
    return plist_set_key(reader->out, node, key.data, (size_t)key.len)
               ? 0
               : bad(reader, at, PLIST_TOO_LARGE);
}

static int read_object(const struct reader *reader, uint64_t from, uint64_t ref, unsigned depth,
                       size_t *index);

/* The references of an array, or of a dictionary: first all keys, then all values. */
static int read_children(const struct reader *reader, uint64_t at, uint8_t marker, unsigned depth,
                         size_t index)
{
    bool dict = (marker & 0xf0) == MARKER_DICT;
    uint64_t start = at;
    uint64_t count = 0;
    size_t last = PLIST_NONE;
    if (read_count(reader, &count, &at, marker) < 0)
        return -1;
    if (count > PLIST_NODES_MAX)
        return bad(reader, start, PLIST_TOO_MANY);
    uint64_t refs = at;
    if (take(reader, &at, (dict ? 2 : 1) * count * reader->ref_len) < 0)
        return -1;
    uint64_t values = dict ? refs + count * reader->ref_len : refs;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t key = refs + i * reader->ref_len;
        uint64_t value = values + i * reader->ref_len;
        size_t child = 0;
        if (read_object(reader, value, number_at(reader, value, reader->ref_len), depth + 1,
                        &child) < 0)
            return -1;
        if (dict && read_key(reader, child, key, number_at(reader, key, reader->ref_len)) < 0)
            return -1;
        plist_link(reader->out, index, &last, child);
    }
    if (dict && plist_repeats_key(reader->out, index))
        return bad(reader, start, "a key occurs twice in a dictionary");
    return 0;
}

static int type_of(uint8_t marker)
{
    if (marker == MARKER_FALSE || marker == MARKER_TRUE)
        return PLIST_BOOL;
    if (marker == MARKER_DATE)
        return PLIST_DATE;
    switch (marker & 0xf0) {
    case MARKER_INTEGER:
        return PLIST_INTEGER;
    case MARKER_REAL:
        return PLIST_REAL;
    case MARKER_DATA:
        return PLIST_DATA;
    case MARKER_ASCII:
    case MARKER_UTF16:
    case MARKER_UTF8:
        return PLIST_STRING;
    case MARKER_ARRAY:
        return PLIST_ARRAY;
    case MARKER_DICT:
        return PLIST_DICT;
    default:
        return -1;
    }
}

/* `at` is behind the marker. */
static int read_scalar(const struct reader *reader, uint64_t at, uint8_t marker, size_t index)
{
    struct plist_node *node = &reader->out->nodes[index];
    own_buf struct buf text = {0};
    struct view bytes = {0};
    switch (node->type) {
    case PLIST_BOOL:
        node->number = marker == MARKER_TRUE;
        return 0;
    case PLIST_DATE:
        return read_date(reader, &node->number, at);
    case PLIST_INTEGER:
        return read_integer(reader, &node->number, &at, marker & 0x0f);
    case PLIST_REAL:
        return read_double(reader, &node->real, &at, UINT64_C(1) << (marker & 0x0f));
    case PLIST_DATA:
    case PLIST_STRING:
    case PLIST_ARRAY:
    case PLIST_DICT:
        break;
    }
    if (read_bytes(reader, &bytes, &text, at, marker) < 0)
        return -1;
    return plist_set_bytes(reader->out, index, bytes.data, (size_t)bytes.len)
               ? 0
               : bad(reader, at - 1, PLIST_TOO_LARGE);
}

static int read_object(const struct reader *reader, uint64_t from, uint64_t ref, unsigned depth,
                       size_t *index)
{
    uint64_t at = 0;
    if (find_object(reader, &at, from, ref) < 0)
        return -1;
    uint8_t marker = reader->bytes.data[at];
    int type = type_of(marker);
    if (type < 0)
        return bad(reader, at, "an object that is no value");
    if (depth >= PLIST_DEPTH_MAX)
        return bad(reader, at, PLIST_TOO_DEEP);
    if (!plist_add(reader->out, (enum plist_type)type, index))
        return bad(reader, at, PLIST_TOO_MANY);
    if (type == PLIST_ARRAY || type == PLIST_DICT)
        return read_children(reader, at + 1, marker, depth, *index);
    return read_scalar(reader, at + 1, marker, *index);
}

static int read_trailer(struct reader *reader, uint64_t *top)
{
    if (reader->bytes.len < HEADER_LEN + TRAILER_LEN)
        return bad(reader, 0, "it is too short");
    uint64_t trailer = reader->bytes.len - TRAILER_LEN;
    reader->offset_len = reader->bytes.data[trailer + 6];
    reader->ref_len = reader->bytes.data[trailer + 7];
    reader->object_count = number_at(reader, trailer + 8, 8);
    *top = number_at(reader, trailer + 16, 8);
    reader->table = number_at(reader, trailer + 24, 8);
    if (reader->offset_len < 1 || reader->offset_len > 8 || reader->ref_len < 1 ||
        reader->ref_len > 8)
        return bad(reader, trailer + 6, "numbers of an unknown size");
    if (reader->table < HEADER_LEN || reader->table > trailer)
        return bad(reader, trailer + 24, "the offset table is not inside");
    if (reader->object_count > (trailer - reader->table) / reader->offset_len)
        return bad(reader, trailer + 8, "the offset table is too short for all objects");
    return 0;
}

int plist_parse_binary(struct plist *out, struct view bytes, struct fail *fail)
{
    struct reader reader = {.bytes = bytes, .out = out, .fail = fail};
    uint64_t top = 0;
    size_t root = 0;
    *out = (struct plist){.form = PLIST_FORM_BINARY};
    if (bytes.len > PLIST_LEN_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "property list is too large (%" PRIu64 " bytes, at most %u)", bytes.len,
                        PLIST_LEN_MAX);
    if (memcmp(bytes.data, "bplist0", bytes.len < 7 ? (size_t)bytes.len : 7) != 0)
        return bad(&reader, 6, "an unknown version");
    if (read_trailer(&reader, &top) == 0 &&
        read_object(&reader, bytes.len - TRAILER_LEN + 16, top, 0, &root) == 0)
        return 0;
    plist_release(out);
    return -1;
}

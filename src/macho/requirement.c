#include "macho/requirement.h"

#include <inttypes.h>
#include <stdbool.h>
#include <time.h>

#include "macho/codesig.h"

enum expression {
    OP_FALSE = 0,
    OP_TRUE = 1,
    OP_IDENTIFIER = 2,
    OP_ANCHOR_APPLE = 3,
    OP_ANCHOR_HASH = 4,
    OP_INFO_KEY_VALUE = 5, /* older form of OP_INFO_KEY with "equal" */
    OP_AND = 6,
    OP_OR = 7,
    OP_CDHASH = 8,
    OP_NOT = 9,
    OP_INFO_KEY = 10,
    OP_CERT_FIELD = 11,
    OP_CERT_TRUSTED = 12,
    OP_ANCHOR_TRUSTED = 13,
    OP_CERT_GENERIC = 14,
    OP_ANCHOR_APPLE_GENERIC = 15,
    OP_ENTITLEMENT = 16,
    OP_CERT_POLICY = 17,
    OP_NAMED_ANCHOR = 18,
    OP_NAMED_CODE = 19,
    OP_PLATFORM = 20,
    OP_NOTARIZED = 21,
    OP_CERT_FIELD_DATE = 22,
    OP_LEGACY = 23,
};

/* Unknown opcodes with one of these carry the length of what follows. */
#define OP_GENERIC_FALSE UINT32_C(0x80000000)
#define OP_GENERIC_SKIP  UINT32_C(0x40000000)
#define OP_FLAGS         UINT32_C(0xff000000)

enum match {
    MATCH_EXISTS = 0,
    MATCH_EQUAL = 1,
    MATCH_CONTAINS = 2,
    MATCH_BEGINS = 3,
    MATCH_ENDS = 4,
    MATCH_LESS = 5,
    MATCH_GREATER = 6,
    MATCH_LESS_EQUAL = 7,
    MATCH_GREATER_EQUAL = 8,
    MATCH_ON = 9,
    MATCH_BEFORE = 10,
    MATCH_AFTER = 11,
    MATCH_ON_OR_BEFORE = 12,
    MATCH_ON_OR_AFTER = 13,
    MATCH_ABSENT = 14,
};

#define KIND_EXPRESSION 1u
#define REQUIREMENT_LEN 12u /* magic, length, kind */
#define REQUIREMENT_MAX (1u << 20)

/* Dates count seconds since 2001-01-01. */
#define YEAR_2001_SINCE_1970  INT64_C(978307200)
#define YEAR_1_SINCE_2001     INT64_C(-63113904000)
#define YEAR_10000_SINCE_2001 INT64_C(252423993600)

/* How tightly the surrounding expression binds: an operator that binds less needs parentheses. */
enum level { LEVEL_PRIMARY, LEVEL_AND, LEVEL_OR };

/* What is still to be written; the last of the stack comes first. */
struct pending {
    const char *text; /* NULL: the next expression of the blob */
    enum level level;
};

struct decoder {
    struct cursor in;
    struct buf *out;
    struct fail *fail;
    struct pending *stack;
    size_t count;
    size_t capacity;
};

static int bad(const struct decoder *decoder, uint64_t offset, const char *problem)
{
    return fail_set(decoder->fail, FAIL_INPUT,
                    "code requirement is malformed at offset %" PRIu64 ": %s", offset, problem);
}

static void push(struct decoder *decoder, const char *text, enum level level)
{
    decoder->stack =
        mem_grow(decoder->stack, decoder->count, &decoder->capacity, sizeof(*decoder->stack));
    decoder->stack[decoder->count++] = (struct pending){.text = text, .level = level};
}

/* A counted string, padded to a multiple of four. The cursor remembers when it is not there. */
static struct view get_data(struct decoder *decoder)
{
    uint32_t len = cursor_u32(&decoder->in);
    struct view data = cursor_bytes(&decoder->in, len);
    cursor_skip(&decoder->in, -len & 3u);
    return decoder->in.failed ? (struct view){0} : data;
}

static bool is_between(uint8_t byte, char first, char last)
{
    return byte >= (uint8_t)first && byte <= (uint8_t)last;
}

static bool is_alphanumeric(uint8_t byte)
{
    return is_between(byte, '0', '9') || is_between(byte, 'A', 'Z') || is_between(byte, 'a', 'z');
}

/* Graphic characters and white space of ASCII. */
static bool is_printable(uint8_t byte)
{
    return is_between(byte, ' ', '~') || is_between(byte, '\t', '\r');
}

static void put_hex(struct buf *out, struct view data)
{
    for (uint64_t i = 0; i < data.len; i++)
        buf_printf(out, "%02x", data.data[i]);
}

/* A word as it is, a text in quotes, or a hexadecimal number. */
static void put_value(struct buf *out, struct view data, bool dots)
{
    bool word = data.len > 0 && !is_between(data.data[0], '0', '9');
    bool printable = true;
    for (uint64_t i = 0; i < data.len; i++) {
        word = word && (is_alphanumeric(data.data[i]) || (dots && data.data[i] == '.'));
        printable = printable && is_printable(data.data[i]);
    }
    if (word) {
        buf_append(out, data.data, (size_t)data.len);
    } else if (!printable) {
        buf_puts(out, "0x");
        put_hex(out, data);
    } else {
        buf_putc(out, '"');
        for (uint64_t i = 0; i < data.len; i++) {
            if (data.data[i] == '"' || data.data[i] == '\\')
                buf_putc(out, '\\');
            buf_putc(out, (char)data.data[i]);
        }
        buf_putc(out, '"');
    }
}

static void put_data(struct decoder *decoder, const char *before, bool dots, const char *behind)
{
    struct view data = get_data(decoder);
    if (decoder->in.failed)
        return;
    buf_puts(decoder->out, before);
    put_value(decoder->out, data, dots);
    buf_puts(decoder->out, behind);
}

static void put_hash(struct decoder *decoder, const char *before)
{
    struct view data = get_data(decoder);
    buf_printf(decoder->out, "%sH\"", before);
    put_hex(decoder->out, data);
    buf_putc(decoder->out, '"');
}

/* "certificate leaf", "certificate root", "certificate 1" */
static void put_certificate(struct decoder *decoder)
{
    int32_t slot = (int32_t)cursor_u32(&decoder->in);
    if (slot == 0)
        buf_puts(decoder->out, "certificate leaf");
    else if (slot == -1)
        buf_puts(decoder->out, "certificate root");
    else
        buf_printf(decoder->out, "certificate %" PRId32, slot);
}

/* An object identifier: base 128, the first two numbers in one. */
static int put_oid(struct decoder *decoder, const char *before)
{
    uint64_t offset = decoder->in.offset;
    struct view data = get_data(decoder);
    uint64_t number = 0;
    bool first = true;
    if (decoder->in.failed)
        return 0;
    if (data.len == 0 || data.data[data.len - 1] & 0x80)
        return bad(decoder, offset, "an object identifier that does not end");
    buf_puts(decoder->out, before);
    for (uint64_t i = 0; i < data.len; i++) {
        if (number >> 57)
            return bad(decoder, offset, "an object identifier with a number over 64 bits");
        number = number << 7 | (data.data[i] & 0x7f);
        if (data.data[i] & 0x80)
            continue;
        if (first) {
            uint64_t root = number < 80 ? number / 40 : 2;
            buf_printf(decoder->out, "%" PRIu64 ".%" PRIu64, root, number - 40 * root);
        } else {
            buf_printf(decoder->out, ".%" PRIu64, number);
        }
        first = false;
        number = 0;
    }
    buf_putc(decoder->out, ']');
    return 0;
}

/* "<2014-01-01 00:00:00 +0000>": seconds since 2001, as the system describes a date. */
static int put_timestamp(struct decoder *decoder, const char *before)
{
    uint64_t offset = decoder->in.offset;
    int64_t since_2001 = (int64_t)cursor_u64(&decoder->in);
    struct tm tm = {0};
    if (decoder->in.failed)
        return 0;
    if (since_2001 < YEAR_1_SINCE_2001 || since_2001 >= YEAR_10000_SINCE_2001)
        return bad(decoder, offset, "a date outside of the years 1 to 9999");
    const time_t seconds = since_2001 + YEAR_2001_SINCE_1970;
    if (!gmtime_r(&seconds, &tm))
        return bad(decoder, offset, "a date that the system does not know");
    buf_printf(decoder->out, "%s<%04d-%02d-%02d %02d:%02d:%02d +0000>", before, tm.tm_year + 1900,
               tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec);
    return 0;
}

/* What is before and behind the value of a match. */
struct match_form {
    const char *before, *behind;
    bool is_date;
};

static int put_match(struct decoder *decoder)
{
    static const struct match_form forms[] = {
        [MATCH_EXISTS] = {" /* exists */", NULL, false},
        [MATCH_EQUAL] = {" = ", "", false},
        [MATCH_CONTAINS] = {" ~ ", "", false},
        [MATCH_BEGINS] = {" = ", "*", false},
        [MATCH_ENDS] = {" = *", "", false},
        [MATCH_LESS] = {" < ", "", false},
        [MATCH_GREATER] = {" > ", "", false},
        [MATCH_LESS_EQUAL] = {" <= ", "", false},
        [MATCH_GREATER_EQUAL] = {" >= ", "", false},
        [MATCH_ON] = {" = ", "", true},
        [MATCH_BEFORE] = {" < ", "", true},
        [MATCH_AFTER] = {" > ", "", true},
        [MATCH_ON_OR_BEFORE] = {" <= ", "", true},
        [MATCH_ON_OR_AFTER] = {" >= ", "", true},
        [MATCH_ABSENT] = {" absent ", NULL, false},
    };
    uint64_t offset = decoder->in.offset;
    uint32_t match = cursor_u32(&decoder->in);
    if (decoder->in.failed)
        return 0;
    if (match >= sizeof(forms) / sizeof(forms[0]))
        return bad(decoder, offset, "an unknown match operation");
    const struct match_form *form = &forms[match];
    if (form->is_date)
        return put_timestamp(decoder, form->before);
    if (form->behind)
        put_data(decoder, form->before, false, form->behind);
    else
        buf_puts(decoder->out, form->before);
    return 0;
}

/* Both operands and what joins them, in parentheses where the surroundings bind more. */
static void push_operands(struct decoder *decoder, const char *joint, enum level own,
                          enum level around)
{
    if (around < own)
        push(decoder, ")", own);
    push(decoder, NULL, own);
    push(decoder, joint, own);
    push(decoder, NULL, own);
    if (around < own)
        push(decoder, "(", own);
}

/* An opcode that is not known: what belongs to it is skipped, where that is allowed. */
static int put_unknown(struct decoder *decoder, uint32_t op, enum level level)
{
    if (!(op & (OP_GENERIC_FALSE | OP_GENERIC_SKIP)))
        return bad(decoder, decoder->in.offset - sizeof(op),
                   "an unknown opcode that may not be skipped");
    cursor_skip(&decoder->in, cursor_u32(&decoder->in));
    bool skip = !(op & OP_GENERIC_FALSE);
    buf_printf(decoder->out, skip ? "/* opcode %" PRIu32 " */ " : "false /* opcode %" PRIu32 " */",
               op & ~OP_FLAGS);
    if (skip)
        push(decoder, NULL, level);
    return 0;
}

/* What contains further expressions. */
static int put_operator(struct decoder *decoder, uint32_t op, enum level level)
{
    switch (op) {
    case OP_AND:
        push_operands(decoder, " and ", LEVEL_AND, level);
        return 0;
    case OP_OR:
        push_operands(decoder, " or ", LEVEL_OR, level);
        return 0;
    case OP_NOT:
        buf_puts(decoder->out, "! ");
        push(decoder, NULL, LEVEL_PRIMARY);
        return 0;
    default:
        return put_unknown(decoder, op, level);
    }
}

/* A condition on a certificate: which one, a field in brackets, and for most a match. */
static int put_certificate_field(struct decoder *decoder, enum expression op)
{
    put_certificate(decoder);
    switch (op) {
    case OP_CERT_FIELD:
        put_data(decoder, "[", true, "]");
        break;
    case OP_CERT_GENERIC:
        if (put_oid(decoder, "[field.") < 0)
            return -1;
        break;
    case OP_CERT_POLICY:
        if (put_oid(decoder, "[policy.") < 0)
            return -1;
        break;
    default:
        if (put_oid(decoder, "[timestamp.") < 0)
            return -1;
        break;
    }
    return put_match(decoder);
}

/* Expressions that are words alone; NULL for the others. */
static const char *words_of(uint32_t op)
{
    static const char *const words[] = {
        [OP_FALSE] = "never",
        [OP_TRUE] = "always",
        [OP_ANCHOR_APPLE] = "anchor apple",
        [OP_ANCHOR_TRUSTED] = "anchor trusted",
        [OP_ANCHOR_APPLE_GENERIC] = "anchor apple generic",
        [OP_NOTARIZED] = "notarized",
        [OP_LEGACY] = "legacy",
    };
    return op < sizeof(words) / sizeof(words[0]) ? words[op] : NULL;
}

static int put_expression(struct decoder *decoder, enum level level)
{
    uint32_t op = cursor_u32(&decoder->in);
    if (decoder->in.failed)
        return 0;
    if (words_of(op)) {
        buf_puts(decoder->out, words_of(op));
        return 0;
    }
    switch (op) {
    case OP_IDENTIFIER:
        put_data(decoder, "identifier ", false, "");
        return 0;
    case OP_NAMED_ANCHOR:
        put_data(decoder, "anchor apple ", false, "");
        return 0;
    case OP_NAMED_CODE:
        put_data(decoder, "(", false, ")");
        return 0;
    case OP_CDHASH:
        put_hash(decoder, "cdhash ");
        return 0;
    case OP_ANCHOR_HASH:
        put_certificate(decoder);
        put_hash(decoder, " = ");
        return 0;
    case OP_CERT_TRUSTED:
        put_certificate(decoder);
        buf_puts(decoder->out, " trusted");
        return 0;
    case OP_INFO_KEY_VALUE:
        put_data(decoder, "info[", true, "]");
        put_data(decoder, " = ", false, "");
        return 0;
    case OP_INFO_KEY:
        put_data(decoder, "info[", true, "]");
        return put_match(decoder);
    case OP_ENTITLEMENT:
        put_data(decoder, "entitlement[", true, "]");
        return put_match(decoder);
    case OP_CERT_FIELD:
    case OP_CERT_GENERIC:
    case OP_CERT_POLICY:
    case OP_CERT_FIELD_DATE:
        return put_certificate_field(decoder, (enum expression)op);
    case OP_PLATFORM:
        buf_printf(decoder->out, "platform = %" PRId32, (int32_t)cursor_u32(&decoder->in));
        return 0;
    default:
        return put_operator(decoder, op, level);
    }
}

/* Writes what is on the stack until it is empty: nesting takes memory, but no recursion. Each
 * expression takes four bytes of the blob, so this ends. */
static int run(struct decoder *decoder)
{
    push(decoder, NULL, LEVEL_OR);
    while (decoder->count > 0) {
        struct pending next = decoder->stack[--decoder->count];
        if (next.text)
            buf_puts(decoder->out, next.text);
        else if (put_expression(decoder, next.level) < 0)
            return -1;
        if (decoder->in.failed)
            return bad(decoder, decoder->in.offset, "it ends early");
    }
    if (cursor_left(&decoder->in) > 0)
        return bad(decoder, decoder->in.offset, "bytes behind the expression");
    return 0;
}

/* Magic and length of a blob. */
static int check_header(struct view blob, uint32_t magic, struct fail *fail)
{
    uint32_t found = 0;
    uint32_t len = 0;
    if (!view_u32(&found, blob, 0, BIG_ENDIAN_BYTES) || !view_u32(&len, blob, 4, BIG_ENDIAN_BYTES))
        return fail_set(fail, FAIL_INPUT, "code requirement is too short for its header");
    if (found != magic)
        return fail_set(fail, FAIL_INPUT,
                        "code requirement has the magic number %08" PRIx32 " instead of %08" PRIx32,
                        found, magic);
    if (len != blob.len)
        return fail_set(fail, FAIL_INPUT,
                        "code requirement says that it has %" PRIu32 " bytes; there are %" PRIu64,
                        len, blob.len);
    if (len > REQUIREMENT_MAX)
        return fail_set(fail, FAIL_INPUT,
                        "code requirement is too large (%" PRIu32 " bytes, at most %u)", len,
                        REQUIREMENT_MAX);
    return 0;
}

int requirement_text(struct buf *out, struct view blob, struct fail *fail)
{
    struct decoder decoder = {.out = out, .fail = fail};
    if (check_header(blob, CODESIG_MAGIC_REQUIREMENT, fail) < 0)
        return -1;
    decoder.in = cursor_start(blob, BIG_ENDIAN_BYTES);
    cursor_skip(&decoder.in, CODESIG_BLOB_LEN);
    uint32_t kind = cursor_u32(&decoder.in);
    if (decoder.in.failed)
        return bad(&decoder, CODESIG_BLOB_LEN, "it ends early");
    if (kind != KIND_EXPRESSION)
        return bad(&decoder, CODESIG_BLOB_LEN, "it is of a kind that has no text");
    int result = run(&decoder);
    own_release_mem(&decoder.stack);
    return result;
}

const char *requirement_type_name(uint32_t type)
{
    static const char *const names[] = {NULL, "host", "guest", "designated", "library", "plugin"};
    return type < sizeof(names) / sizeof(names[0]) ? names[type] : NULL;
}

int requirements_read(struct requirements *out, struct view blob, struct fail *fail)
{
    uint32_t count = 0;
    *out = (struct requirements){0};
    if (check_header(blob, CODESIG_MAGIC_REQUIREMENTS, fail) < 0)
        return -1;
    if (!view_u32(&count, blob, CODESIG_BLOB_LEN, BIG_ENDIAN_BYTES))
        return fail_set(fail, FAIL_INPUT, "requirement set is too short for its count");
    if (count > REQUIREMENTS_MAX)
        return fail_set(fail, FAIL_INPUT, "requirement set has %" PRIu32 " entries (at most %u)",
                        count, REQUIREMENTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        struct requirement_entry *entry = &out->list[i];
        uint64_t at = REQUIREMENT_LEN + CODESIG_INDEX_LEN * (uint64_t)i;
        uint32_t offset = 0;
        uint32_t len = 0;
        if (!view_u32(&entry->type, blob, at, BIG_ENDIAN_BYTES) ||
            !view_u32(&offset, blob, at + 4, BIG_ENDIAN_BYTES) ||
            !view_u32(&len, blob, (uint64_t)offset + 4, BIG_ENDIAN_BYTES) ||
            !view_slice(&entry->blob, blob, offset, len))
            return fail_set(fail, FAIL_INPUT,
                            "requirement set: entry %" PRIu32 " at offset %" PRIu64
                            " lies outside of the set",
                            i, at);
    }
    out->count = count;
    return 0;
}

int requirements_text(struct buf *out, struct view blob, struct fail *fail)
{
    struct requirements set = {0};
    if (requirements_read(&set, blob, fail) < 0)
        return -1;
    for (uint32_t i = 0; i < set.count; i++) {
        const char *name = requirement_type_name(set.list[i].type);
        if (name)
            buf_printf(out, "%s => ", name);
        else
            buf_printf(out, "/*unknown type*/ %" PRIu32 " => ", set.list[i].type);
        if (requirement_text(out, set.list[i].blob, fail) < 0)
            return fail_while(fail, "decoding entry %" PRIu32 " of the requirement set", i);
        buf_putc(out, '\n');
    }
    return 0;
}

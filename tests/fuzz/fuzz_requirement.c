/*
 * The decoder of code requirements. The first byte tells what the others are: a set as it stands,
 * a set around one requirement, a requirement, or an expression to which the header is added; so
 * that a change of the length does not stop at the header.
 */
#include <ctype.h>

#include "fuzz/fuzz.h"
#include "macho/requirement.h"

enum shape { SHAPE_SET, SHAPE_ENTRY, SHAPE_REQUIREMENT, SHAPE_EXPRESSION, SHAPE_COUNT };

/* Text on a terminal, quotes that end, parentheses in pairs. */
static void check_text(const struct buf *text)
{
    unsigned depth = 0;
    bool quoted = false;
    fuzz_must(text->len > 0, "a requirement has a text");
    for (size_t i = 0; i < text->len; i++) {
        char c = (char)text->data[i];
        fuzz_must(isprint((unsigned char)c) || isspace((unsigned char)c), "ASCII alone");
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '(')
            depth++;
        else if (!quoted && c == ')')
            fuzz_must(depth-- > 0, "a parenthesis was opened");
    }
    fuzz_must(!quoted && depth == 0, "quotes and parentheses end");
}

static void put_requirement(struct buf *out, const uint8_t *data, size_t size)
{
    buf_u32be(out, 0xfade0c00);
    buf_u32be(out, (uint32_t)(12 + size));
    buf_u32be(out, 1);
    if (size > 0)
        buf_append(out, data, size);
}

/* What was decoded needed all of its bytes and no more. */
static void check_length(const struct buf *blob)
{
    for (int change = -4; change <= 4; change += 8) {
        own_buf struct buf other = {0};
        own_buf struct buf text = {0};
        own_fail struct fail fail = {0};
        buf_append(&other, blob->data, blob->len + (size_t)(change < 0 ? change : 0));
        buf_zeros(&other, (size_t)(change > 0 ? change : 0));
        buf_set_u32be(&other, 4, (uint32_t)other.len);
        fuzz_must(requirement_text(&text, fuzz_view(&other), &fail) < 0, "each byte is needed");
    }
}

static void decode(const struct buf *blob, bool set)
{
    own_buf struct buf text = {0};
    own_buf struct buf again = {0};
    own_fail struct fail fail = {0};
    own_fail struct fail fail_again = {0};
    int result = set ? requirements_text(&text, fuzz_view(blob), &fail)
                     : requirement_text(&text, fuzz_view(blob), &fail);
    int result_again = set ? requirements_text(&again, fuzz_view(blob), &fail_again)
                           : requirement_text(&again, fuzz_view(blob), &fail_again);
    fuzz_must(result == result_again && fuzz_same(&text, &again), "the same answer twice");
    if (result < 0) {
        fuzz_must_say_why(&fail);
    } else if (!set) {
        check_text(&text);
        check_length(blob);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    own_buf struct buf blob = {0};
    if (size < 2)
        return 0;
    enum shape shape = data[0] % SHAPE_COUNT;
    if (shape == SHAPE_EXPRESSION) {
        put_requirement(&blob, data + 1, size - 1);
    } else if (shape == SHAPE_ENTRY) {
        buf_u32be(&blob, 0xfade0c01);
        buf_u32be(&blob, (uint32_t)(20 + 12 + size - 2));
        buf_u32be(&blob, 1);
        buf_u32be(&blob, data[1]);
        buf_u32be(&blob, 20);
        put_requirement(&blob, data + 2, size - 2);
    } else {
        buf_append(&blob, data + 1, size - 1);
    }
    decode(&blob, shape == SHAPE_SET || shape == SHAPE_ENTRY);
    return 0;
}

static void put_text(struct buf *out, const char *text)
{
    buf_u32be(out, (uint32_t)strlen(text));
    buf_puts(out, text);
    buf_zeros(out, -strlen(text) & 3u);
}

static void put_words(struct buf *out, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buf_u32be(out, words[i]);
}

/* Each opcode with what it needs. */
static void put_operand(struct buf *out, uint32_t op)
{
    static const uint8_t oid[] = {0,    0,    0,    10, 0x2a, 0x86, 0x48, 0x86,
                                  0xf7, 0x63, 0x64, 6,  1,    9,    0,    0};
    buf_u32be(out, op);
    if (op == 4 || op == 11 || op == 12 || op == 14 || op == 17 || op == 20 || op == 22)
        buf_u32be(out, op == 4 ? UINT32_MAX : 0);
    if (op == 14 || op == 17 || op == 22)
        buf_append(out, oid, sizeof(oid));
    if (op == 2 || op == 4 || op == 5 || op == 8 || op == 10 || op == 11 || op == 16 || op == 18 ||
        op == 19)
        put_text(out, "subject.OU");
    if (op == 5)
        put_text(out, "a \"quoted\" text");
    if (op == 22)
        put_words(out, (const uint32_t[]){9 + op % 5, 0, 410227200}, 3);
    if (op == 10 || op == 11 || op == 14 || op == 16 || op == 17) {
        buf_u32be(out, op % 9);
        if (op % 9 != 0)
            put_text(out, "43AQ936H96");
    }
}

/* 0: all of the language, joined; 1: the same as an entry; 2: a set; 3: what may be skipped. */
size_t fuzz_seed(size_t index, uint8_t *out, size_t out_size)
{
    static const uint32_t operators[] = {6, 7, 9};
    own_buf struct buf seed = {0};
    own_buf struct buf expression = {0};
    if (index > 3)
        return 0;
    for (uint32_t op = 0; op <= 23; op++) {
        if (op == 6 || op == 7 || op == 9)
            continue;
        if (op != 23)
            put_words(&expression, operators, op % 2 ? 1 : 0);
        if (op % 2 == 0 && op != 23)
            put_words(&expression, operators + 1, 1);
        if (op % 5 == 0)
            put_words(&expression, operators + 2, 1);
        put_operand(&expression, op);
    }
    if (index == 3) {
        buf_truncate(&expression, 0);
        put_words(&expression, (const uint32_t[]){6, 0x80000063, 4, 7, 0x40000063, 0, 3}, 7);
    }
    if (index == 0 || index == 3)
        buf_putc(&seed, SHAPE_EXPRESSION);
    else
        buf_append(&seed, index == 1 ? "\1\3" : "\0", index == 1 ? 2 : 1);
    if (index == 2) {
        put_words(&seed, (const uint32_t[]){0xfade0c01, 28 + 32, 2, 3, 28, 5, 44}, 7);
        put_words(&seed, (const uint32_t[]){0xfade0c00, 16, 1, 3, 0xfade0c00, 16, 1, 21}, 8);
    } else {
        buf_append(&seed, expression.data, expression.len);
    }
    return fuzz_give(&seed, out, out_size);
}

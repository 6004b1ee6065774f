#include "macho/plist.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *text;
    size_t len;
    size_t at;
    struct plist *out;
    struct fail *fail;
};

static int bad(struct parser *parser, const char *problem)
{
    size_t line = 1;
    for (size_t i = 0; i < parser->at && i < parser->len; i++)
        line += parser->text[i] == '\n';
    return fail_set(parser->fail, FAIL_INPUT, "property list is malformed at line %zu: %s", line,
                    problem);
}

static bool starts(const struct parser *parser, const char *word)
{
    size_t len = strlen(word);
    return parser->len - parser->at >= len && memcmp(parser->text + parser->at, word, len) == 0;
}

static bool is_space(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* Moves behind the next occurrence of `word`. */
static int skip_past(struct parser *parser, const char *word, const char *problem)
{
    const char *found =
        memmem(parser->text + parser->at, parser->len - parser->at, word, strlen(word));
    if (!found)
        return bad(parser, problem);
    parser->at = (size_t)(found - parser->text) + strlen(word);
    return 0;
}

/* White space, comments and processing instructions. */
static int skip_filler(struct parser *parser)
{
    for (;;) {
        while (parser->at < parser->len && is_space(parser->text[parser->at]))
            parser->at++;
        if (starts(parser, "<!--")) {
            if (skip_past(parser, "-->", "a comment does not end") < 0)
                return -1;
        } else if (starts(parser, "<?")) {
            if (skip_past(parser, "?>", "a processing instruction does not end") < 0)
                return -1;
        } else {
            return 0;
        }
    }
}

struct tag {
    char name[16];
    bool closing; /* </name> */
    bool empty;   /* <name/> */
};

/* Reads one tag; attributes are skipped (a ">" inside of one is not supported). */
static int read_tag(struct parser *parser, struct tag *tag)
{
    *tag = (struct tag){0};
    if (skip_filler(parser) < 0)
        return -1;
    if (!starts(parser, "<"))
        return bad(parser, parser->at < parser->len ? "text where a tag must be" : "it ends early");
    parser->at++;
    if (starts(parser, "/")) {
        tag->closing = true;
        parser->at++;
    }
    size_t len = 0;
    while (parser->at < parser->len && !is_space(parser->text[parser->at]) &&
           parser->text[parser->at] != '>' && parser->text[parser->at] != '/') {
        if (len + 1 >= sizeof(tag->name))
            return bad(parser, "a tag has an unknown name");
        tag->name[len++] = parser->text[parser->at++];
    }
    size_t start = parser->at;
    if (skip_past(parser, ">", "a tag does not end") < 0)
        return -1;
    tag->empty = !tag->closing && parser->at - 1 > start && parser->text[parser->at - 2] == '/';
    return 0;
}

static void put_utf8(struct buf *out, uint32_t code)
{
    if (code < 0x80) {
        buf_putc(out, (char)code);
        return;
    }
    unsigned tail = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    buf_putc(out, (char)(lead[tail] | (code >> (6 * tail))));
    while (tail > 0) {
        tail--;
        buf_putc(out, (char)(0x80 | ((code >> (6 * tail)) & 0x3f)));
    }
}

/* "&amp;" and the like, at the ampersand. */
static int read_entity(struct parser *parser, struct buf *out)
{
    static const struct {
        const char *name;
        char byte;
    } named[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
    for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
        if (starts(parser, named[i].name)) {
            parser->at += strlen(named[i].name);
            buf_putc(out, named[i].byte);
            return 0;
        }
    }
    if (!starts(parser, "&#"))
        return bad(parser, "an unknown entity");
    parser->at += 2;
    bool hex = starts(parser, "x");
    parser->at += hex ? 1 : 0;
    uint32_t code = 0;
    size_t digits = 0;
    for (; parser->at < parser->len && parser->text[parser->at] != ';'; parser->at++, digits++) {
        char c = parser->text[parser->at];
        uint32_t digit = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
                         : hex && (c | 0x20) >= 'a' && (c | 0x20) <= 'f'
                             ? (uint32_t)((c | 0x20) - 'a') + 10
                             : UINT32_MAX;
        if (digit == UINT32_MAX || digits >= 8)
            return bad(parser, "a malformed character reference");
        code = code * (hex ? 16 : 10) + digit;
    }
    if (parser->at >= parser->len || digits == 0 || code == 0 || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
        return bad(parser, "a malformed character reference");
    parser->at++;
    put_utf8(out, code);
    return 0;
}

/* The number of bytes of the UTF-8 sequence at `data`; 0 when it is none. */
static size_t utf8_len(const uint8_t *data, size_t left)
{
    uint8_t lead = data[0];
    size_t len = lead < 0x80   ? 1
                 : lead < 0xc2 ? 0
                 : lead < 0xe0 ? 2
                 : lead < 0xf0 ? 3
                 : lead < 0xf5 ? 4
                               : 0;
    if (len == 0 || len > left)
        return 0;
    for (size_t i = 1; i < len; i++)
        if ((data[i] & 0xc0) != 0x80)
            return 0;
    if ((lead == 0xe0 && data[1] < 0xa0) || (lead == 0xed && data[1] > 0x9f) ||
        (lead == 0xf0 && data[1] < 0x90) || (lead == 0xf4 && data[1] > 0x8f))
        return 0;
    return len;
}

/* The text up to "</name>", decoded; NULL after a failure. Free it. */
static char *read_text(struct parser *parser, const char *name)
{
    own_buf struct buf text = {0};
    while (parser->at < parser->len && parser->text[parser->at] != '<') {
        if (parser->text[parser->at] == '&') {
            if (read_entity(parser, &text) < 0)
                return NULL;
            continue;
        }
        const uint8_t *here = (const uint8_t *)parser->text + parser->at;
        size_t len = utf8_len(here, parser->len - parser->at);
        if (len == 0 || here[0] == 0) {
            bad(parser, "a byte that is not UTF-8 text");
            return NULL;
        }
        buf_append(&text, here, len);
        parser->at += len;
    }
    struct tag tag = {0};
    if (read_tag(parser, &tag) < 0)
        return NULL;
    if (!tag.closing || strcmp(tag.name, name) != 0) {
        bad(parser, "a tag inside of text");
        return NULL;
    }
    return text_copy(buf_text(&text));
}

static int new_node(struct parser *parser, enum plist_type type, size_t *index)
{
    struct plist *list = parser->out;
    if (list->count >= PLIST_NODES_MAX)
        return bad(parser, "it has too many values");
    list->nodes = mem_grow(list->nodes, list->count, &list->capacity, sizeof(*list->nodes));
    list->nodes[list->count] =
        (struct plist_node){.type = type, .first = PLIST_NONE, .next = PLIST_NONE};
    *index = list->count++;
    return 0;
}

static int read_value(struct parser *parser, const struct tag *tag, unsigned depth, size_t *index);

/* The children of a dictionary or an array, up to its closing tag. */
static int read_children(struct parser *parser, const struct tag *parent, unsigned depth,
                         size_t index)
{
    bool dict = parser->out->nodes[index].type == PLIST_DICT;
    size_t previous = PLIST_NONE;
    for (;;) {
        struct tag tag = {0};
        own_mem char *key = NULL;
        if (read_tag(parser, &tag) < 0)
            return -1;
        if (tag.closing)
            return strcmp(tag.name, parent->name) == 0 ? 0 : bad(parser, "tags cross each other");
        if (dict) {
            if (strcmp(tag.name, "key") != 0)
                return bad(parser, "a value without a key in a dictionary");
            key = tag.empty ? text_copy("") : read_text(parser, "key");
            if (!key)
                return -1;
            if (read_tag(parser, &tag) < 0)
                return -1;
        }
        size_t child = 0;
        if (read_value(parser, &tag, depth + 1, &child) < 0)
            return -1;
        struct plist_node *nodes = parser->out->nodes;
        nodes[child].key = steal_mem(&key);
        if (previous == PLIST_NONE)
            nodes[index].first = child;
        else
            nodes[previous].next = child;
        previous = child;
    }
}

static int read_integer(struct parser *parser, size_t index)
{
    own_mem char *text = read_text(parser, "integer");
    if (!text)
        return -1;
    char *end = NULL;
    errno = 0;
    long long number = strtoll(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0')
        return bad(parser, "a malformed integer");
    parser->out->nodes[index].number = number;
    return 0;
}

static int type_of(const struct tag *tag)
{
    static const struct {
        const char *name;
        enum plist_type type;
    } types[] = {{"dict", PLIST_DICT},       {"array", PLIST_ARRAY}, {"string", PLIST_STRING},
                 {"integer", PLIST_INTEGER}, {"true", PLIST_BOOL},   {"false", PLIST_BOOL},
                 {"data", PLIST_DATA},       {"date", PLIST_DATE},   {"real", PLIST_REAL}};
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(tag->name, types[i].name) == 0)
            return (int)types[i].type;
    return -1;
}

/* The value whose opening tag was just read. */
static int read_value(struct parser *parser, const struct tag *tag, unsigned depth, size_t *index)
{
    int type = tag->closing ? -1 : type_of(tag);
    if (type < 0)
        return bad(parser, "a tag that is no value");
    if (depth >= PLIST_DEPTH_MAX)
        return bad(parser, "it is nested too deeply");
    if (new_node(parser, (enum plist_type)type, index) < 0)
        return -1;
    struct plist_node *node = &parser->out->nodes[*index];
    switch (node->type) {
    case PLIST_DICT:
    case PLIST_ARRAY:
        return tag->empty ? 0 : read_children(parser, tag, depth, *index);
    case PLIST_INTEGER:
        return tag->empty ? bad(parser, "a malformed integer") : read_integer(parser, *index);
    case PLIST_BOOL: {
        node->number = strcmp(tag->name, "true") == 0;
        if (tag->empty)
            return 0;
        own_mem char *text = read_text(parser, tag->name);
        if (!text)
            return -1;
        return text[0] == '\0' ? 0 : bad(parser, "text in a truth value");
    }
    case PLIST_STRING:
    case PLIST_DATA:
    case PLIST_DATE:
    case PLIST_REAL: {
        char *text = tag->empty ? text_copy("") : read_text(parser, tag->name);
        if (!text)
            return -1;
        parser->out->nodes[*index].bytes = text;
        return 0;
    }
    }
    return bad(parser, "a tag that is no value");
}

static int read_document(struct parser *parser)
{
    struct tag tag = {0};
    if (starts(parser, "bplist"))
        return bad(parser, "it is binary; only XML is read");
    if (starts(parser, "\xef\xbb\xbf"))
        parser->at += 3;
    if (skip_filler(parser) < 0)
        return -1;
    if (starts(parser, "<!DOCTYPE")) {
        size_t start = parser->at;
        if (skip_past(parser, ">", "the document type does not end") < 0)
            return -1;
        if (memchr(parser->text + start, '[', parser->at - start))
            return bad(parser, "a document type with an internal subset");
    }
    if (read_tag(parser, &tag) < 0)
        return -1;
    bool wrapped = !tag.closing && !tag.empty && strcmp(tag.name, "plist") == 0;
    if (wrapped && read_tag(parser, &tag) < 0)
        return -1;
    size_t root = 0;
    if (read_value(parser, &tag, 0, &root) < 0)
        return -1;
    if (wrapped) {
        if (read_tag(parser, &tag) < 0)
            return -1;
        if (!tag.closing || strcmp(tag.name, "plist") != 0)
            return bad(parser, "more than one value");
    }
    if (skip_filler(parser) < 0)
        return -1;
    /* Some writers leave NULs or a second line end behind the document; anything else is not it. */
    while (parser->at < parser->len && parser->text[parser->at] == '\0')
        parser->at++;
    return parser->at == parser->len ? 0 : bad(parser, "bytes behind the document");
}

int plist_parse_xml(struct plist *out, struct view xml, struct fail *fail)
{
    *out = (struct plist){0};
    if (xml.len > PLIST_LEN_MAX)
        return fail_set(fail, FAIL_INPUT, "property list is too large (%llu bytes, at most %u)",
                        (unsigned long long)xml.len, PLIST_LEN_MAX);
    struct parser parser = {.text = xml.len ? (const char *)xml.data : "",
                            .len = (size_t)xml.len,
                            .out = out,
                            .fail = fail};
    if (read_document(&parser) == 0)
        return 0;
    plist_release(out);
    return -1;
}

void plist_release(struct plist *list)
{
    for (size_t i = 0; i < list->count; i++) {
        own_release_mem(&list->nodes[i].key);
        own_release_mem(&list->nodes[i].bytes);
    }
    own_release_mem(&list->nodes);
    *list = (struct plist){0};
}

const struct plist_node *plist_get(const struct plist *list, const char *key)
{
    if (list->count == 0 || list->nodes[0].type != PLIST_DICT)
        return NULL;
    for (size_t i = list->nodes[0].first; i != PLIST_NONE; i = list->nodes[i].next)
        if (strcmp(list->nodes[i].key, key) == 0)
            return &list->nodes[i];
    return NULL;
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
    put_der(out, 0x02, bytes + skip, 8 - skip);
}

struct sorted {
    const char *key;
    size_t index;
};

static int compare_keys(const void *a, const void *b)
{
    return strcmp(((const struct sorted *)a)->key, ((const struct sorted *)b)->key);
}

static int put_value(struct buf *out, const struct plist *list, size_t index, struct fail *fail);

static int put_dict(struct buf *out, const struct plist *list, size_t index, struct fail *fail)
{
    size_t count = 0;
    for (size_t i = list->nodes[index].first; i != PLIST_NONE; i = list->nodes[i].next)
        count++;
    own_mem struct sorted *order = mem_new(count, sizeof(*order));
    size_t filled = 0;
    for (size_t i = list->nodes[index].first; i != PLIST_NONE; i = list->nodes[i].next)
        order[filled++] = (struct sorted){.key = list->nodes[i].key, .index = i};
    qsort(order, count, sizeof(*order), compare_keys);
    own_buf struct buf body = {0};
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && strcmp(order[i - 1].key, order[i].key) == 0)
            return fail_set(fail, FAIL_INPUT, "entitlement '%s' occurs twice", order[i].key);
        own_buf struct buf pair = {0};
        put_der(&pair, 0x0c, order[i].key, strlen(order[i].key));
        if (put_value(&pair, list, order[i].index, fail) < 0)
            return fail_while(fail, "encoding '%s'", order[i].key);
        put_der(&body, 0x30, pair.data, pair.len);
    }
    put_der(out, 0xb0, body.data, body.len);
    return 0;
}

static int put_value(struct buf *out, const struct plist *list, size_t index, struct fail *fail)
{
    const struct plist_node *node = &list->nodes[index];
    switch (node->type) {
    case PLIST_DICT:
        return put_dict(out, list, index, fail);
    case PLIST_ARRAY: {
        own_buf struct buf body = {0};
        for (size_t i = node->first; i != PLIST_NONE; i = list->nodes[i].next)
            if (put_value(&body, list, i, fail) < 0)
                return -1;
        put_der(out, 0x30, body.data, body.len);
        return 0;
    }
    case PLIST_STRING:
        put_der(out, 0x0c, node->bytes, strlen(node->bytes));
        return 0;
    case PLIST_INTEGER:
        put_integer(out, node->number);
        return 0;
    case PLIST_BOOL:
        put_der(out, 0x01, node->number ? "\xff" : "\0", 1);
        return 0;
    case PLIST_DATA:
    case PLIST_DATE:
    case PLIST_REAL:
        break;
    }
    return fail_set(fail, FAIL_INPUT,
                    "entitlements hold a value that is no dictionary, array, string, integer or "
                    "truth value");
}

int plist_encode_der(struct buf *out, const struct plist *list, struct fail *fail)
{
    if (list->count == 0 || list->nodes[0].type != PLIST_DICT)
        return fail_set(fail, FAIL_INPUT, "entitlements are no dictionary");
    own_buf struct buf body = {0};
    put_integer(&body, 1);
    if (put_dict(&body, list, 0, fail) < 0)
        return -1;
    put_der(out, 0x70, body.data, body.len);
    return 0;
}

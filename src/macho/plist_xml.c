#include "macho/plist_parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"

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
    return fail_set(parser->fail, FAIL_INPUT,
                    "property list is malformed at line %zu (offset %zu): %s", line, parser->at,
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

/* At `open`: moves behind the next occurrence of `close` after it. */
static int skip_over(struct parser *parser, const char *open, const char *close,
                     const char *problem)
{
    size_t from = parser->at + strlen(open);
    const char *found = memmem(parser->text + from, parser->len - from, close, strlen(close));
    if (!found)
        return bad(parser, problem);
    parser->at = (size_t)(found - parser->text) + strlen(close);
    return 0;
}

static void skip_space(struct parser *parser)
{
    while (parser->at < parser->len && is_space(parser->text[parser->at]))
        parser->at++;
}

/* Some readers end a comment at once where its hyphens are followed by ">", Apple's go on. */
static int skip_comment(struct parser *parser)
{
    if (starts(parser, "<!-->") || starts(parser, "<!--->"))
        parser->out->ambiguous = "a comment that begins like the end of one";
    return skip_over(parser, "<!--", "-->", "a comment does not end");
}

/* White space, comments and processing instructions. */
static int skip_filler(struct parser *parser)
{
    for (;;) {
        skip_space(parser);
        if (starts(parser, "<!--")) {
            if (skip_comment(parser) < 0)
                return -1;
        } else if (starts(parser, "<?")) {
            if (skip_over(parser, "<?", "?>", "a processing instruction does not end") < 0)
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

/* Attributes up to the end of the tag; only <plist> has some, and they say nothing. */
static int skip_attributes(struct parser *parser, const struct tag *tag)
{
    char quote = '\0';
    for (; parser->at < parser->len; parser->at++) {
        char c = parser->text[parser->at];
        if (c == '>' && !quote)
            return 0;
        if (c == '/' && !quote && starts(parser, "/>"))
            return 0;
        if (c == '<' || c == '>')
            return bad(parser, "a bracket inside of a tag");
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? '\0' : c;
        else if (!is_space(c) && strcmp(tag->name, "plist") != 0)
            return bad(parser, "a tag with attributes");
    }
    return bad(parser, "a tag does not end");
}

/* Reads one tag. */
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
    if (skip_attributes(parser, tag) < 0)
        return -1;
    if (starts(parser, "/")) {
        if (tag->closing)
            return bad(parser, "a closing tag that is empty");
        tag->empty = true;
        parser->at++;
    }
    parser->at++;
    return 0;
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
    utf8_put(out, code);
    return 0;
}

/* "<![CDATA[...]]>": text in which nothing has a meaning. */
static int read_cdata(struct parser *parser, struct buf *out)
{
    static const char open[] = "<![CDATA[";
    static const char close[] = "]]>";
    size_t start = parser->at + strlen(open);
    if (skip_over(parser, open, close, "a CDATA section does not end") < 0)
        return -1;
    size_t len = parser->at - strlen(close) - start;
    if (!plist_is_text(parser->text + start, len))
        return bad(parser, "a CDATA section that is not UTF-8 text");
    if (len > 0)
        buf_append(out, parser->text + start, len);
    return 0;
}

/* The text up to and with "</name>", decoded. */
static int read_text(struct parser *parser, const char *name, struct buf *text)
{
    while (parser->at < parser->len) {
        const uint8_t *here = (const uint8_t *)parser->text + parser->at;
        if (*here == '&') {
            if (read_entity(parser, text) < 0)
                return -1;
        } else if (starts(parser, "<![CDATA[")) {
            if (read_cdata(parser, text) < 0)
                return -1;
        } else if (*here == '<') {
            break;
        } else {
            uint32_t code = 0;
            size_t len = utf8_decode(&code, here, parser->len - parser->at);
            if (len == 0 || code == 0)
                return bad(parser, "a byte that is not UTF-8 text");
            buf_append(text, here, len);
            parser->at += len;
        }
    }
    struct tag tag = {0};
    if (parser->at < parser->len && !starts(parser, "</"))
        return bad(parser, "a tag inside of text");
    if (read_tag(parser, &tag) < 0)
        return -1;
    return strcmp(tag.name, name) == 0 ? 0 : bad(parser, "a tag inside of text");
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : 16;
}

/* Decimal, or hexadecimal behind "0x"; with a sign or without. NULL, or what is wrong with it. */
static const char *parse_integer(int64_t *out, const char *text)
{
    while (is_space(*text))
        text++;
    bool negative = *text == '-';
    text += *text == '-' || *text == '+';
    int base = text[0] == '0' && (text[1] | 0x20) == 'x' ? 16 : 10;
    text += base == 16 ? 2 : 0;
    uint64_t limit = negative ? UINT64_C(1) << 63 : INT64_MAX;
    uint64_t number = 0;
    bool any = false;
    bool fits = true;
    for (; digit_of(*text) < base; text++, any = true) {
        uint64_t digit = (uint64_t)digit_of(*text);
        fits = fits && number <= (limit - digit) / (uint64_t)base;
        if (fits)
            number = number * (uint64_t)base + digit;
    }
    *out = (int64_t)(negative ? 0 - number : number);
    if (!any || *text != '\0')
        return "a malformed integer";
    return fits ? NULL : "an integer out of range, which is -2^63 to 2^63-1";
}

/* A decimal number, an infinity, or "nan". */
static bool parse_real(double *out, const char *text)
{
    const char *word = text + (*text == '-' || *text == '+');
    char *end = NULL;
    bool special = strcasecmp(word, "nan") == 0 || strcasecmp(word, "inf") == 0 ||
                   strcasecmp(word, "infinity") == 0;
    if (!special && (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0'))
        return false;
    *out = strtod(text, &end);
    return *end == '\0';
}

/* Base 64, white space anywhere. */
static bool decode_base64(struct buf *out, const char *text)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    unsigned count = 0;
    unsigned padding = 0;
    for (; *text; text++) {
        if (is_space(*text))
            continue;
        const char *found = strchr(alphabet, *text);
        if (*text != '=' && (!found || padding > 0))
            return false;
        padding += *text == '=';
        bits = bits << 6 | (uint32_t)(found ? found - alphabet : 0);
        if (++count % 4 != 0)
            continue;
        if (padding > 2)
            return false;
        for (unsigned i = 0; i < 3 - padding; i++)
            buf_putc(out, (char)(bits >> (16 - 8 * i)));
    }
    return count % 4 == 0;
}

/* What is between the tags of a value that holds no others. */
static int set_scalar(struct parser *parser, size_t index, const struct buf *text, bool truth)
{
    struct plist_node *node = &parser->out->nodes[index];
    own_buf struct buf data = {0};
    const struct buf *bytes = text;
    const char *problem = NULL;
    switch (node->type) {
    case PLIST_BOOL:
        node->number = truth;
        return text->len == 0 ? 0 : bad(parser, "text in a truth value");
    case PLIST_INTEGER:
        problem = parse_integer(&node->number, buf_text(text));
        return problem ? bad(parser, problem) : 0;
    case PLIST_REAL:
        return parse_real(&node->real, buf_text(text)) ? 0 : bad(parser, "a malformed number");
    case PLIST_DATE:
        return plist_parse_date(&node->number, buf_text(text)) ? 0
                                                               : bad(parser, "a malformed date");
    case PLIST_DATA:
        if (!decode_base64(&data, buf_text(text)))
            return bad(parser, "data that is not base 64");
        bytes = &data;
        break;
    case PLIST_STRING:
    case PLIST_DICT:
    case PLIST_ARRAY:
        break;
    }
    return plist_set_bytes(parser->out, index, buf_text(bytes), bytes->len)
               ? 0
               : bad(parser, PLIST_TOO_LARGE);
}

static int read_value(struct parser *parser, const struct tag *tag, unsigned depth, size_t *index);

/* "<key>...</key>", whose opening tag was just read, and the opening tag of its value. */
static int read_key(struct parser *parser, struct tag *tag, struct buf *key)
{
    if (strcmp(tag->name, "key") != 0)
        return bad(parser, "a value without a key in a dictionary");
    if (!tag->empty && read_text(parser, "key", key) < 0)
        return -1;
    return read_tag(parser, tag);
}

/* The children of a dictionary or an array, up to its closing tag. */
static int read_children(struct parser *parser, const struct tag *parent, unsigned depth,
                         size_t index)
{
    bool dict = parser->out->nodes[index].type == PLIST_DICT;
    size_t last = PLIST_NONE;
    for (;;) {
        struct tag tag = {0};
        own_buf struct buf key = {0};
        size_t child = 0;
        if (read_tag(parser, &tag) < 0)
            return -1;
        if (tag.closing && strcmp(tag.name, parent->name) != 0)
            return bad(parser, "tags cross each other");
        if (tag.closing)
            break;
        if (dict && read_key(parser, &tag, &key) < 0)
            return -1;
        if (read_value(parser, &tag, depth + 1, &child) < 0)
            return -1;
        if (dict && !plist_set_key(parser->out, child, buf_text(&key), key.len))
            return bad(parser, PLIST_TOO_LARGE);
        plist_link(parser->out, index, &last, child);
    }
    if (!dict || !plist_repeats_key(parser->out, index))
        return 0;
    parser->out->ambiguous = "a key occurs twice in a dictionary";
    return bad(parser, parser->out->ambiguous);
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
    own_buf struct buf text = {0};
    if (type < 0)
        return bad(parser, "a tag that is no value");
    if (depth >= PLIST_DEPTH_MAX)
        return bad(parser, PLIST_TOO_DEEP);
    if (!plist_add(parser->out, (enum plist_type)type, index))
        return bad(parser, PLIST_TOO_MANY);
    if (type == PLIST_DICT || type == PLIST_ARRAY)
        return tag->empty ? 0 : read_children(parser, tag, depth, *index);
    if (!tag->empty && read_text(parser, tag->name, &text) < 0)
        return -1;
    return set_scalar(parser, *index, &text, strcmp(tag->name, "true") == 0);
}

/* An encoding that the XML declaration names must be UTF-8 or a part of it. */
static int check_declaration(struct parser *parser)
{
    static const char word[] = "encoding";
    static const char *const good[] = {"utf-8", "us-ascii", "ascii"};
    size_t start = parser->at;
    if (!starts(parser, "<?xml"))
        return 0;
    if (skip_over(parser, "<?xml", "?>", "the XML declaration does not end") < 0)
        return -1;
    const char *end = parser->text + parser->at - 2;
    const char *at = memmem(parser->text + start, parser->at - 2 - start, word, strlen(word));
    if (!at)
        return 0;
    at += strlen(word);
    while (at < end && (is_space(*at) || *at == '=' || *at == '"' || *at == '\''))
        at++;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        size_t len = strlen(good[i]);
        if ((size_t)(end - at) > len && strncasecmp(at, good[i], len) == 0 &&
            (at[len] == '"' || at[len] == '\''))
            return 0;
    }
    parser->at = start;
    return bad(parser, "an encoding other than UTF-8");
}

static int skip_document_type(struct parser *parser)
{
    size_t start = parser->at;
    if (!starts(parser, "<!DOCTYPE"))
        return 0;
    if (skip_over(parser, "<!DOCTYPE", ">", "the document type does not end") < 0)
        return -1;
    if (memchr(parser->text + start, '[', parser->at - start))
        return bad(parser, "a document type with an internal subset");
    return 0;
}

/* Behind the document: tags that close nothing, which no reader takes for another value. */
static int read_loose_ends(struct parser *parser)
{
    size_t start = parser->at;
    struct tag tag = {0};
    while (starts(parser, "</")) {
        if (read_tag(parser, &tag) < 0 || skip_filler(parser) < 0)
            return -1;
    }
    if (parser->at != parser->len) {
        parser->at = start;
        return bad(parser, "bytes behind the document");
    }
    parser->out->loose = "bytes behind the document: tags that close nothing";
    return 0;
}

static int read_document(struct parser *parser)
{
    struct tag tag = {0};
    if (starts(parser, "bplist"))
        return bad(parser, "it is binary, but XML is needed");
    if (starts(parser, "\xef\xbb\xbf"))
        parser->at += 3;
    if (check_declaration(parser) < 0 || skip_filler(parser) < 0 ||
        skip_document_type(parser) < 0 || read_tag(parser, &tag) < 0)
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
    if (parser->at == parser->len)
        return 0;
    return wrapped ? read_loose_ends(parser) : bad(parser, "bytes behind the document");
}

int plist_parse_xml(struct plist *out, struct view xml, struct fail *fail)
{
    *out = (struct plist){.form = PLIST_FORM_XML};
    if (xml.len > PLIST_LEN_MAX)
        return fail_set(fail, FAIL_INPUT, "property list is too large (%llu bytes, at most %u)",
                        (unsigned long long)xml.len, PLIST_LEN_MAX);
    struct parser parser = {.text = xml.len ? (const char *)xml.data : "",
                            .len = (size_t)xml.len,
                            .out = out,
                            .fail = fail};
    if (read_document(&parser) == 0)
        return 0;
    const char *ambiguous = out->ambiguous;
    plist_release(out);
    out->ambiguous = ambiguous;
    return -1;
}

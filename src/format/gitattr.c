#include "format/gitattr.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/system.h"
#include "format/gitmatch.h"

#define BLANKS " \t\r\n"
#define MACRO  "[attr]"

static const char *const known_names[GITATTR_COUNT] = {
    [GITATTR_EXPORT_IGNORE] = "export-ignore",
    [GITATTR_EXPORT_SUBST] = "export-subst",
    [GITATTR_TEXT] = "text",
    [GITATTR_CRLF] = "crlf",
    [GITATTR_EOL] = "eol",
    [GITATTR_IDENT] = "ident",
    [GITATTR_FILTER] = "filter",
    [GITATTR_ENCODING] = "working-tree-encoding",
};

/* "-text", "eol=lf": what a line says of one attribute. */
struct setting {
    uint32_t name;
    enum gitattr_state state;
    char *text;
};

struct settings {
    struct setting *list;
    size_t count;
    size_t capacity;
};

struct gitattr_pattern {
    char *text;
    size_t len;
    size_t literal_len; /* bytes before the first wildcard */
    bool base_only;     /* no "/": matches the last component alone */
    bool directory;     /* ended in "/" */
    struct settings settings;
};

struct gitattr_frame {
    char *path;
    size_t path_len;
    struct gitattr_pattern *patterns;
    size_t count;
    size_t capacity;
};

/* Attribute names, numbered; the known ones come first. An open-addressed table finds them. */
struct name {
    char *text;
    struct settings *macro; /* what the name stands for when it is set */
    struct gitattr_value value;
    uint64_t round; /* the look-up that set the value; of an earlier one it counts for nothing */
    size_t macro_index; /* while a macro is being expanded: settings still to be looked at */
};

struct gitattr_names {
    struct name *list;
    size_t count;
    size_t capacity;
    uint32_t *table; /* number + 1, 0 is free */
    size_t table_size;
    uint64_t round;    /* number of look-ups so far */
    uint32_t *pending; /* the macros that are being expanded, innermost last */
    size_t pending_count;
    size_t pending_capacity;
};

static size_t hash_of(const char *text, size_t len)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (uint8_t)text[i]) * 1099511628211u;
    return (size_t)(hash ^ (hash >> 29));
}

static void grow_table(struct gitattr_names *names)
{
    free(names->table);
    names->table_size = names->table_size == 0 ? 64 : names->table_size * 2;
    names->table = mem_new(names->table_size, sizeof *names->table);
    for (size_t i = 0; i < names->count; i++) {
        const char *text = names->list[i].text;
        size_t at = hash_of(text, strlen(text)) & (names->table_size - 1);
        while (names->table[at] != 0)
            at = (at + 1) & (names->table_size - 1);
        names->table[at] = (uint32_t)i + 1;
    }
}

/* The number of a name, which is new when it was never seen. */
static uint32_t intern(struct gitattr_names *names, const char *text, size_t len)
{
    if (names->count * 2 >= names->table_size)
        grow_table(names);
    size_t at = hash_of(text, len) & (names->table_size - 1);
    for (; names->table[at] != 0; at = (at + 1) & (names->table_size - 1)) {
        const char *there = names->list[names->table[at] - 1].text;
        if (strncmp(there, text, len) == 0 && there[len] == '\0')
            return names->table[at] - 1;
    }
    names->list = mem_grow(names->list, names->count, &names->capacity, sizeof *names->list);
    names->list[names->count] = (struct name){.text = mem_copy(text, len)};
    names->table[at] = (uint32_t)++names->count;
    return (uint32_t)names->count - 1;
}

static void settings_release(struct settings *settings)
{
    for (size_t i = 0; i < settings->count; i++)
        free(settings->list[i].text);
    free(settings->list);
    *settings = (struct settings){0};
}

static void settings_free(struct settings *settings)
{
    if (settings == NULL)
        return;
    settings_release(settings);
    free(settings);
}

static void add_setting(struct settings *settings, uint32_t name, enum gitattr_state state,
                        char *text)
{
    settings->list =
        mem_grow(settings->list, settings->count, &settings->capacity, sizeof *settings->list);
    settings->list[settings->count++] =
        (struct setting){.name = name, .state = state, .text = text};
}

static struct gitattr_names *names_new(void)
{
    struct gitattr_names *names = mem_new(1, sizeof *names);
    for (size_t i = 0; i < GITATTR_COUNT; i++)
        intern(names, known_names[i], strlen(known_names[i]));
    uint32_t binary = intern(names, "binary", 6);
    static const char *const off[] = {"diff", "merge", "text"};
    struct settings *macro = mem_new(1, sizeof *macro);
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
        add_setting(macro, intern(names, off[i], strlen(off[i])), GITATTR_FALSE, NULL);
    names->list[binary].macro = macro;
    return names;
}

static bool valid_name(const char *name, size_t len)
{
    if (len == 0 || *name == '-')
        return false;
    for (size_t i = 0; i < len; i++) {
        char c = name[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '-' || c == '.' || c == '_';
        if (!good)
            return false;
    }
    return true;
}

/* Parses the words behind a pattern or macro name; one bad name spoils the line. */
static int parse_settings(struct settings *out, struct gitattr_names *names, const char *line)
{
    line += strspn(line, BLANKS);
    while (*line != '\0') {
        size_t word_len = strcspn(line, BLANKS);
        const char *word = line;
        line += word_len;
        line += strspn(line, BLANKS);
        const char *equals = memchr(word, '=', word_len);
        size_t name_len = equals != NULL ? (size_t)(equals - word) : word_len;
        char sign = *word == '-' || *word == '!' ? *word : '\0';
        if (!valid_name(word + (sign != '\0'), name_len - (sign != '\0' && name_len > 0)))
            return -1;
        uint32_t name = intern(names, word + (sign != '\0'), name_len - (sign != '\0'));
        if (sign != '\0')
            add_setting(out, name, sign == '-' ? GITATTR_FALSE : GITATTR_UNSET, NULL);
        else if (equals == NULL)
            add_setting(out, name, GITATTR_TRUE, NULL);
        else
            add_setting(out, name, GITATTR_TEXTUAL, mem_copy(equals + 1, word_len - name_len - 1));
    }
    return 0;
}

/* One escape behind a "\": how many bytes it took, 0 when it is none. */
static size_t unescape(char *out, const char *text)
{
    static const char from[] = "abfnrtv\\\"";
    static const char to[] = "\a\b\f\n\r\t\v\\\"";
    const char *found = *text != '\0' ? strchr(from, *text) : NULL;
    if (found != NULL) {
        *out = to[found - from];
        return 1;
    }
    unsigned value = 0;
    for (size_t i = 0; i < 3; i++) {
        if (text[i] < '0' || text[i] > (i == 0 ? '3' : '7'))
            return 0;
        value = value * 8 + (unsigned)(text[i] - '0');
    }
    *out = (char)value;
    return 3;
}

/* A "quoted pattern": the bytes, and how much of the line it took; 0 when it is not well formed. */
static size_t unquote(struct buf *out, const char *line)
{
    for (size_t at = 1; line[at] != '\0';) {
        if (line[at] == '"')
            return at + 1;
        if (line[at] != '\\') {
            buf_putc(out, line[at++]);
            continue;
        }
        char byte = '\0';
        size_t taken = unescape(&byte, line + at + 1);
        if (taken == 0)
            return 0;
        buf_putc(out, byte);
        at += 1 + taken;
    }
    return 0;
}

static void define_macro(struct gitattr *attr, const char *name, size_t len, const char *rest)
{
    if (!valid_name(name, len))
        return;
    struct settings *macro = mem_new(1, sizeof *macro);
    uint32_t number = intern(attr->names, name, len);
    if (parse_settings(macro, attr->names, rest) < 0) {
        settings_free(macro);
        return;
    }
    settings_free(attr->names->list[number].macro);
    attr->names->list[number].macro = macro;
}

static void add_pattern(struct gitattr *attr, struct gitattr_frame *frame, const char *text,
                        size_t len, const char *rest)
{
    struct settings settings = {0};
    if (len > 0 && *text == '!') {
        /* git refuses negative patterns; it has numbered the names by then, which has no effect */
        return;
    }
    if (parse_settings(&settings, attr->names, rest) < 0 || settings.count == 0) {
        settings_release(&settings);
        return;
    }
    struct gitattr_pattern pattern = {.text = mem_copy(text, len), .settings = settings};
    pattern.directory = len > 0 && text[len - 1] == '/';
    pattern.len = len - pattern.directory;
    pattern.base_only = memchr(text, '/', pattern.len) == NULL;
    pattern.literal_len = gitmatch_literal_len(text, pattern.len);
    frame->patterns =
        mem_grow(frame->patterns, frame->count, &frame->capacity, sizeof *frame->patterns);
    frame->patterns[frame->count++] = pattern;
}

static void parse_line(struct gitattr *attr, struct gitattr_frame *frame, const char *line)
{
    if (strlen(line) >= GITATTR_LINE_MAX)
        return;
    line += strspn(line, BLANKS);
    if (*line == '\0' || *line == '#')
        return;
    own_buf struct buf unquoted = {0};
    const char *name = line;
    size_t len = strcspn(line, BLANKS);
    const char *rest = line + len;
    size_t taken = *line == '"' ? unquote(&unquoted, line) : 0;
    if (taken > 0) {
        name = buf_text(&unquoted);
        len = unquoted.len;
        rest = line + taken;
    }
    size_t macro_len = strlen(MACRO);
    if (len > macro_len && strncmp(name, MACRO, macro_len) == 0) {
        name += macro_len;
        name += strspn(name, BLANKS);
        if (frame->path_len == 0)
            define_macro(attr, name, strcspn(name, BLANKS), rest);
        return;
    }
    add_pattern(attr, frame, name, strlen(name) < len ? strlen(name) : len, rest);
}

int gitattr_push(struct gitattr *attr, const char *path, size_t path_len, const void *data,
                 size_t len, struct fail *fail)
{
    if (len > GITATTR_FILE_MAX)
        return fail_set(fail, FAIL_INPUT, ".gitattributes of %zu bytes (at most %u)", len,
                        GITATTR_FILE_MAX);
    if (attr->names == NULL)
        attr->names = names_new();
    struct gitattr_frame frame = {.path = mem_copy(path, path_len), .path_len = path_len};
    const char *at = data;
    const char *end = len > 0 ? at + strnlen(at, len) : at;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t line_len = (size_t)((newline != NULL ? newline : end) - at);
        own_mem char *line = mem_copy(at, line_len);
        parse_line(attr, &frame, line);
        at += line_len + (newline != NULL);
    }
    attr->frames =
        mem_grow(attr->frames, attr->frame_count, &attr->frame_capacity, sizeof *attr->frames);
    attr->frames[attr->frame_count++] = frame;
    return 0;
}

void gitattr_pop(struct gitattr *attr)
{
    struct gitattr_frame *frame = &attr->frames[--attr->frame_count];
    for (size_t i = 0; i < frame->count; i++) {
        free(frame->patterns[i].text);
        settings_release(&frame->patterns[i].settings);
    }
    free(frame->patterns);
    free(frame->path);
}

static bool same_bytes(const char *a, const char *b, size_t len, bool fold)
{
    return fold ? strncasecmp(a, b, len) == 0 : memcmp(a, b, len) == 0;
}

struct subject {
    const char *path;
    size_t len;  /* without the "/" at the end of a directory */
    size_t base; /* where the last component begins */
    bool directory;
};

static bool match_base(const struct gitattr_pattern *pattern, const struct subject *subject,
                       bool fold, bool *doubtful)
{
    const char *base = subject->path + subject->base;
    size_t len = subject->len - subject->base;
    if (pattern->literal_len == pattern->len)
        return pattern->len == len && same_bytes(pattern->text, base, len, fold);
    if (*pattern->text == '*' &&
        gitmatch_literal_len(pattern->text + 1, pattern->len - 1) == pattern->len - 1) {
        size_t tail = pattern->len - 1;
        return tail <= len && same_bytes(pattern->text + 1, base + len - tail, tail, fold);
    }
    return gitmatch_fold(pattern->text, pattern->len, base, len, fold ? GITMATCH_FOLD : 0,
                         doubtful);
}

/*
 * A pattern with a "/" is matched against the path below the file's own directory. What comes
 * before its first wildcard is compared alone and cut off: a "**" that follows such a beginning
 * then counts as the beginning of the pattern, as it does in git.
 */
static bool match_whole(const struct gitattr_pattern *pattern, const struct gitattr_frame *frame,
                        const struct subject *subject, bool fold, bool *doubtful)
{
    size_t skip = frame->path_len > 0 ? frame->path_len + 1 : 0;
    if (subject->len < skip)
        return false;
    const char *path = subject->path + skip;
    size_t len = subject->len - skip;
    const char *text = pattern->text;
    size_t text_len = pattern->len;
    size_t literal_len = pattern->literal_len;
    if (text_len > 0 && *text == '/') {
        text++;
        text_len--;
        literal_len--;
    }
    if (literal_len > len || !same_bytes(text, path, literal_len, fold))
        return false;
    return gitmatch_fold(text + literal_len, text_len - literal_len, path + literal_len,
                         len - literal_len, GITMATCH_PATH | (fold ? GITMATCH_FOLD : 0u), doubtful);
}

static bool matches_as(const struct gitattr_pattern *pattern, const struct gitattr_frame *frame,
                       const struct subject *subject, bool fold, bool *doubtful)
{
    return pattern->base_only ? match_base(pattern, subject, fold, doubtful)
                              : match_whole(pattern, frame, subject, fold, doubtful);
}

static bool matches(struct gitattr *attr, const struct gitattr_pattern *pattern,
                    const struct gitattr_frame *frame, const struct subject *subject)
{
    if (pattern->directory && !subject->directory)
        return false;
    bool exact = matches_as(pattern, frame, subject, false, NULL);
    if (attr->fold) {
        bool doubtful = false;
        bool folded = matches_as(pattern, frame, subject, true, &doubtful);
        attr->doubtful |= doubtful || folded != exact;
    }
    return exact;
}

static void push_pending(struct gitattr_names *names, uint32_t name)
{
    names->pending = mem_grow(names->pending, names->pending_count, &names->pending_capacity,
                              sizeof *names->pending);
    names->pending[names->pending_count++] = name;
    names->list[name].macro_index = names->list[name].macro->count;
}

/* Takes a setting unless an earlier one was there; one that sets a macro opens that macro. */
static void take(struct gitattr_names *names, const struct setting *setting)
{
    struct name *name = &names->list[setting->name];
    if (name->round == names->round)
        return;
    name->round = names->round;
    name->value = (struct gitattr_value){.state = setting->state, .text = setting->text};
    if (setting->state == GITATTR_TRUE && name->macro != NULL)
        push_pending(names, setting->name);
}

/* The last setting of a line wins, and a macro is expanded where it stands. */
static void fill(struct gitattr_names *names, const struct settings *settings)
{
    for (size_t i = settings->count; i-- > 0;) {
        take(names, &settings->list[i]);
        while (names->pending_count > 0) {
            struct name *macro = &names->list[names->pending[names->pending_count - 1]];
            if (macro->macro_index == 0)
                names->pending_count--;
            else
                take(names, &macro->macro->list[--macro->macro_index]);
        }
    }
}

void gitattr_find(struct gitattr_value out[GITATTR_COUNT], struct gitattr *attr, const char *path,
                  size_t path_len)
{
    memset(out, 0, GITATTR_COUNT * sizeof *out);
    struct gitattr_names *names = attr->names;
    if (names == NULL)
        return;
    names->round++;
    struct subject subject = {.path = path, .len = path_len};
    subject.directory = path_len > 0 && path[path_len - 1] == '/';
    subject.len -= subject.directory;
    const char *slash = subject.len > 0 ? system_find_last(path, '/', subject.len) : NULL;
    subject.base = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    for (size_t f = attr->frame_count; f-- > 0;) {
        const struct gitattr_frame *frame = &attr->frames[f];
        for (size_t i = frame->count; i-- > 0;) {
            if (matches(attr, &frame->patterns[i], frame, &subject))
                fill(names, &frame->patterns[i].settings);
        }
    }
    for (size_t i = 0; i < GITATTR_COUNT; i++) {
        if (names->list[i].round == names->round)
            out[i] = names->list[i].value;
    }
}

void gitattr_release(struct gitattr *attr)
{
    while (attr->frame_count > 0)
        gitattr_pop(attr);
    free(attr->frames);
    struct gitattr_names *names = attr->names;
    for (size_t i = 0; names != NULL && i < names->count; i++) {
        free(names->list[i].text);
        settings_free(names->list[i].macro);
    }
    if (names != NULL) {
        free(names->list);
        free(names->table);
        free(names->pending);
        free(names);
    }
    *attr = (struct gitattr){0};
}

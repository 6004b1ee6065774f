#include <stdlib.h>
#include <string.h>

#include "port/odb_impl.h"

static void ident_release(struct odb_ident *ident)
{
    free(ident->line);
    free(ident->name);
    free(ident->email);
    free(ident->zone);
}

void odb_commit_release(struct odb_commit *commit)
{
    free(commit->parents);
    ident_release(&commit->author);
    ident_release(&commit->committer);
    free(commit->encoding);
    free(commit->message);
    buf_release(&commit->raw);
    *commit = (struct odb_commit){0};
}

void odb_treeish_release(struct odb_treeish *treeish)
{
    odb_commit_release(&treeish->commit);
    *treeish = (struct odb_treeish){0};
}

/* ---- author and committer ---- */

/* "1700000000 +0100": both, and nothing behind. */
static bool parse_date(struct odb_ident *ident, const char *text)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 18 || text[digits] != ' ')
        return false;
    const char *zone = text + digits + 1;
    if ((zone[0] != '+' && zone[0] != '-') || strspn(zone + 1, "0123456789") != 4 ||
        zone[5] != '\0')
        return false;
    int number = (int)strtol(zone + 1, NULL, 10);
    int minutes = number / 100 * 60 + number % 100;
    ident->time = strtoll(text, NULL, 10);
    ident->offset_min = zone[0] == '-' ? -minutes : minutes;
    ident->zone = text_copy(zone);
    return true;
}

/* The form that every git agrees on how to read; whatever else stands there is not valid. */
static void parse_ident(struct odb_ident *ident, const char *line, size_t len)
{
    ident->line = mem_copy(line, len);
    const char *open = strchr(ident->line, '<');
    const char *close = strchr(ident->line, '>');
    if (strlen(ident->line) == len && open != NULL && close != NULL && open < close &&
        strpbrk(open + 1, "<>") == close && strpbrk(close + 1, "<>") == NULL && close[1] == ' ' &&
        (open == ident->line || open[-1] == ' '))
        ident->valid = parse_date(ident, close + 2);
    size_t name_len = ident->valid ? (size_t)(open - ident->line) : 0;
    while (name_len > 0 && strchr(" \t", ident->line[name_len - 1]) != NULL)
        name_len--;
    ident->name = mem_copy(ident->line, name_len);
    ident->email = ident->valid ? mem_copy(open + 1, (size_t)(close - open - 1)) : text_copy("");
    if (ident->zone == NULL)
        ident->zone = text_copy("");
}

/* ---- the header ---- */

struct header {
    const char *at;
    const char *end;
};

/* Takes the next line when it begins with `keyword` and a blank. */
static bool take_line(const char **value, size_t *len, struct header *header, const char *keyword)
{
    size_t skip = strlen(keyword);
    size_t left = (size_t)(header->end - header->at);
    const char *newline = memchr(header->at, '\n', left);
    if (newline == NULL || left < skip + 1 || memcmp(header->at, keyword, skip) != 0 ||
        header->at[skip] != ' ')
        return false;
    *value = header->at + skip + 1;
    *len = newline < *value ? 0 : (size_t)(newline - *value);
    header->at = newline + 1;
    return true;
}

static bool take_id(struct odb_id *out, struct header *header, const char *keyword)
{
    const char *value = NULL;
    size_t len = 0;
    char hex[ODB_ID_HEX] = "";
    if (!take_line(&value, &len, header, keyword) || len != ODB_ID_HEX - 1)
        return false;
    memcpy(hex, value, len);
    return odb_id_parse(out, hex) == 0;
}

/* The lines behind the committer: only the encoding matters; then the message. */
static void parse_rest(struct odb_commit *commit, struct header *header)
{
    const char *value = NULL;
    size_t len = 0;
    while (header->at < header->end && *header->at != '\n') {
        if (commit->encoding == NULL && take_line(&value, &len, header, "encoding")) {
            commit->encoding = mem_copy(value, len);
            continue;
        }
        const char *newline = memchr(header->at, '\n', (size_t)(header->end - header->at));
        header->at = newline == NULL ? header->end : newline + 1;
    }
    if (header->at < header->end)
        header->at++;
    commit->message_len = (size_t)(header->end - header->at);
    commit->message = mem_copy(header->at, commit->message_len);
}

static const char *parse_commit(struct odb_commit *commit)
{
    const char *text = buf_text(&commit->raw);
    struct header header = {.at = text, .end = text + commit->raw.len};
    struct odb_id parent;
    const char *value = NULL;
    size_t len = 0;
    size_t capacity = 0;
    if (!take_id(&commit->tree, &header, "tree"))
        return "the commit does not name its tree";
    while (take_id(&parent, &header, "parent")) {
        commit->parents =
            mem_grow(commit->parents, commit->parent_count, &capacity, sizeof *commit->parents);
        commit->parents[commit->parent_count++] = parent;
    }
    if (!take_line(&value, &len, &header, "author"))
        return "the commit has no author line, or not in its place";
    parse_ident(&commit->author, value, len);
    if (!take_line(&value, &len, &header, "committer"))
        return "the commit has no committer line, or not in its place";
    parse_ident(&commit->committer, value, len);
    if (!commit->committer.valid)
        return "the committer line is not 'NAME <EMAIL> TIME OFFSET'";
    parse_rest(commit, &header);
    commit->committer_time = commit->committer.time;
    commit->committer_offset_min = commit->committer.offset_min;
    commit->author_time = commit->author.time;
    commit->author_offset_min = commit->author.offset_min;
    return NULL;
}

int odb_commit_read(struct odb_commit *out, struct odb *odb, const struct odb_id *id,
                    struct fail *fail)
{
    own_odb_commit struct odb_commit commit = {.id = *id};
    char hex[ODB_ID_HEX];
    if (odb_object_read(&commit.raw, odb, id, ODB_COMMIT, fail) < 0)
        return -1;
    const char *wrong = parse_commit(&commit);
    odb_id_hex(hex, id);
    if (wrong != NULL)
        return fail_set(fail, FAIL_INPUT, "commit %s in repository '%s' is malformed (%s)", hex,
                        odb->path, wrong);
    commit.parents_altered = id_set_has(&odb->altered, id);
    *out = commit;
    commit = (struct odb_commit){0};
    return 0;
}

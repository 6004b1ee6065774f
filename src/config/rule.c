#include "config/rule.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/own.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static const char *const reserved[] = {
    "SHA256SUMS",   "PROVENANCE.md",     "provenance.intoto.json", "recipe.yaml",
    "attestations", "*-source-*.tar.gz", "*-source-*.tar",
};

const char *rule_name(const char *text, size_t max)
{
    size_t len = strlen(text);
    if (len == 0)
        return "is empty";
    if (len > max)
        return "is too long";
    if (text[0] == '.')
        return "begins with a dot";
    if (text[0] == '-')
        return "begins with a dash";
    if (strspn(text, LETTERS DIGITS "._+-") != len)
        return "has a character that is none of A-Z a-z 0-9 . _ + -";
    return NULL;
}

static char fold(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool rule_same_folded(const char *a, const char *b)
{
    for (; *a != '\0' && fold(*a) == fold(*b); a++)
        b++;
    return fold(*a) == fold(*b);
}

static bool glob_match(const char *pattern, const char *text, bool folded)
{
    const char *star = NULL;
    const char *resume = NULL;
    while (*text != '\0') {
        bool same = folded ? fold(*pattern) == fold(*text) : *pattern == *text;
        if (*pattern == '*') {
            star = ++pattern;
            resume = text;
        } else if (same) {
            pattern++;
            text++;
        } else if (star != NULL) {
            pattern = star;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

bool rule_glob(const char *pattern, const char *text)
{
    return glob_match(pattern, text, false);
}

const char *rule_artifact(const char *text)
{
    const char *problem = rule_name(text, 128);
    if (problem != NULL)
        return problem;
    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
        if (glob_match(reserved[i], text, true))
            return "is a name that the release itself uses";
    return NULL;
}

const char *rule_version(const char *text, size_t min_parts, size_t max_parts)
{
    size_t parts = 0;
    for (;;) {
        size_t len = strspn(text, DIGITS);
        if (len == 0 || len > 6 || (len > 1 && text[0] == '0') || ++parts > max_parts)
            return "is not a version of numbers and dots";
        text += len;
        if (*text == '\0')
            return parts < min_parts ? "has too few numbers" : NULL;
        if (*text++ != '.')
            return "is not a version of numbers and dots";
    }
}

const char *rule_path(const char *path)
{
    if (path[0] == '\0')
        return "is empty";
    if (path[0] == '/')
        return "is absolute";
    if (!fs_path_contained(path))
        return "is not a plain path inside of the tree";
    for (const char *at = path; at != NULL; at = strchr(at, '/')) {
        at += *at == '/';
        if (*at == '-' || *at == '@')
            return "has a component that begins with '-' or '@'";
    }
    return NULL;
}

const char *rule_path_from(char **out, const char *base, const char *path, bool directory)
{
    const char *inner = path;
    while (strncmp(inner, "../", 3) == 0)
        inner += 3;
    bool up = directory && (strcmp(inner, "..") == 0 || strcmp(inner, ".") == 0);
    const char *problem = up ? NULL : rule_path(inner);
    if (problem != NULL)
        return problem;
    own_mem char *joined = fs_path_join(base, path);
    if (joined == NULL)
        return "leaves the tree";
    if (joined[0] == '\0') {
        if (!directory)
            return "is not a file";
        *out = text_copy(".");
        return NULL;
    }
    problem = rule_path(joined);
    if (problem == NULL)
        *out = steal_mem(&joined);
    return problem;
}

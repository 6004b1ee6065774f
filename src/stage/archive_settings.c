/*
 * Settings and files of the repository that git archive obeys though they are no part of the
 * commit. Where one has an effect, hallmark refuses.
 */
#include <string.h>
#include <strings.h>

#include "base/fs.h"
#include "stage/archive_parts.h"

#define INFO_MAX ((uint64_t)1024 * 1024)

static int refuse_setting(const char *key, const char *value, struct fail *fail)
{
    fail_set(fail, FAIL_INPUT, "'%s = %s' in the repository's config changes the archive", key,
             value);
    return fail_hint(fail, "it is no part of the commit; run 'git config --unset %s'", key);
}

/* Octal digits that say 0002, git's default. */
static bool is_default_umask(const char *value)
{
    if (strspn(value, "01234567") != strlen(value) || *value == '\0')
        return false;
    const char *digits = value + strspn(value, "0");
    return *value == '0' ? strcmp(digits, "2") == 0 : strcmp(value, "2") == 0;
}

static int check_umask(struct odb *odb, struct fail *fail)
{
    own_mem char *value = NULL;
    if (odb_config_text(&value, odb, "tar.umask", fail) < 0)
        return -1;
    return value == NULL || is_default_umask(value) ? 0 : refuse_setting("tar.umask", value, fail);
}

static int check_unset(struct odb *odb, const char *key, const char *harmless, struct fail *fail)
{
    own_mem char *value = NULL;
    if (odb_config_text(&value, odb, key, fail) < 0)
        return -1;
    if (value == NULL || (harmless != NULL && strcmp(value, harmless) == 0))
        return 0;
    return refuse_setting(key, value, fail);
}

/* Whether an attributes file says anything: a line that is no comment. */
static bool says_something(const char *text)
{
    while (*text != '\0') {
        text += strspn(text, " \t\r\n");
        if (*text != '\0' && *text != '#')
            return true;
        text += strcspn(text, "\n");
    }
    return false;
}

static int check_info(struct odb *odb, struct fail *fail)
{
    own_mem char *path = text_printf("%sinfo/attributes", odb_common_dir(odb));
    own_buf struct buf text = {0};
    int there = fs_exists(path, fail);
    if (there <= 0)
        return there;
    if (fs_read(&text, path, INFO_MAX, fail) < 0)
        return -1;
    if (!says_something(buf_text(&text)))
        return 0;
    fail_set(fail, FAIL_INPUT, "'%s' changes the archive", path);
    return fail_hint(fail, "it is no part of the commit; move its lines to .gitattributes or "
                           "archive from a fresh clone");
}

static int read_eol(bool *out, struct odb *odb, struct fail *fail)
{
    own_mem char *autocrlf = NULL;
    own_mem char *eol = NULL;
    bool on = false;
    if (odb_config_text(&autocrlf, odb, "core.autocrlf", fail) < 0 ||
        odb_config_text(&eol, odb, "core.eol", fail) < 0)
        return -1;
    bool input = autocrlf != NULL && strcasecmp(autocrlf, "input") == 0;
    if (!input && odb_config_bool(&on, odb, "core.autocrlf", false, fail) < 0)
        return -1;
    *out = on || (!input && eol != NULL && strcasecmp(eol, "crlf") == 0);
    return 0;
}

int tarball_settings_read(struct tarball_settings *out, struct odb *odb, enum archive_format format,
                          struct fail *fail)
{
    own_mem char *threshold = NULL;
    if (check_info(odb, fail) < 0 || check_umask(odb, fail) < 0 ||
        check_unset(odb, "core.attributesfile", NULL, fail) < 0)
        return -1;
    static const char *const compressors[] = {"tar.tar.gz.command", "tar.tgz.command"};
    for (size_t i = 0; format == ARCHIVE_FORMAT_TAR_GZ && i < 2; i++) {
        if (check_unset(odb, compressors[i], "git archive gzip", fail) < 0)
            return -1;
    }
    if (read_eol(&out->eol, odb, fail) < 0 ||
        odb_config_bool(&out->ignore_case, odb, "core.ignorecase", false, fail) < 0 ||
        odb_config_text(&threshold, odb, "core.bigfilethreshold", fail) < 0)
        return -1;
    out->big_file = threshold != NULL;
    return 0;
}

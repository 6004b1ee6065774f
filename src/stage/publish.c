/*
 * The last stage: what was observed goes beside the sums, then the directory
 * gets its name, whole or not at all.
 */
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "format/observed.h"
#include "format/sums.h"
#include "port/digest.h"
#include "stage/release.h"

static void set_time(json_t *object, const char *key, int64_t seconds)
{
    time_t value = (time_t)seconds;
    struct tm utc;
    char text[64] = "";
    if (gmtime_r(&value, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    js_set(object, key, js_text(text));
}

static json_t *host_object(void)
{
    json_t *object = js_object();
    struct utsname name;
    if (uname(&name) < 0)
        return object;
    js_set(object, "system", js_text(name.sysname));
    js_set(object, "release", js_text(name.release));
    js_set(object, "machine", js_text(name.machine));
    return object;
}

static json_t *program_object(const struct pin_program *program)
{
    json_t *object = js_object();
    js_set(object, "path", js_text(program->real_path));
    js_set(object, "version", js_text(program->version));
    js_set(object, "digest", js_text(program->digest));
    json_t *files = js_array();
    for (size_t i = 0; i < program->files_count; i++) {
        json_t *file = js_object();
        js_set(file, "path", js_text(program->files[i].path));
        js_set(file, "sha256", js_text(program->files[i].sha256));
        js_push(files, file);
    }
    js_set(object, "files", files);
    return object;
}

/* Where the second witnesses were: family apple alone has them. */
static json_t *witness_object(const struct release *release)
{
    const struct pin_apple *apple = &release->pin.apple;
    json_t *object = js_object();
    js_set(object, "codesign", js_text(apple->codesign.real_path));
    js_set(object, "lipo", js_text(apple->lipo.real_path));
    return object;
}

static json_t *observed_object(const struct release *release)
{
    json_t *object = js_object();
    js_set(object, "format", js_uint(1));
    js_set(object, "revision", js_text(release->request->revision));
    js_set(object, "commit", js_text(release->record.commit));
    set_time(object, "started", release->started);
    set_time(object, "finished", (int64_t)time(NULL));
    js_set(object, "host", host_object());
    js_set(object, "toolchainBuild", js_text(release->pin.build_id));
    js_set(object, "compiler", program_object(&release->pin.compiler));
    js_set(object, "linker", program_object(&release->pin.linker));
    if (release->toolchain.family == TOOLCHAIN_APPLE)
        js_set(object, "witnesses", witness_object(release));
    js_set(object, "confined", js_bool(release->confined));
    return object;
}

int stage_publish(struct release *release, struct fail *fail)
{
    own_buf struct buf sums = {0};
    own_buf struct buf text = {0};
    progress_stage(release->request->progress, "publish", "%s", release->request->out);
    if (fs_read_at(&sums, release->stage.fd, SUMS_NAME, SUMS_MAX, fail) < 0)
        return fail_while(fail, "publishing the release");
    char digest[SHA256_HEX];
    digest_sha256_hex(digest, sums.data, sums.len);
    own_json json_t *object = observed_object(release);
    observed_seal(&text, object, digest);
    if (fs_make_parents_at(release->stage.fd, RELEASE_OBSERVED, fail) < 0 ||
        fs_create_at(release->stage.fd, RELEASE_OBSERVED, text.data, text.len, 0644, fail) < 0 ||
        fs_stage_publish(&release->stage, fail) < 0)
        return fail_while(fail, "publishing the release");
    release->published = true;
    return 0;
}

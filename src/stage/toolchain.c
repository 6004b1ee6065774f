/* The pin stage: the compiler and linker of this machine, proven to be the pinned ones. */
#include "stage/release.h"

int stage_pin(struct release *release, struct fail *fail)
{
    const struct release_request *request = release->request;
    progress_stage(request->progress, "pin", "%s: %s %s, %s %s", release->toolchain.name,
                   release->toolchain.compiler.program, release->toolchain.compiler.version,
                   release->toolchain.linker.program, release->toolchain.linker.version);
    struct pin_options options = {.any_build = request->any_build};
    if (pin_find(&release->pin, &release->toolchain, &options, fail) < 0) {
        release->toolchain_missing = fail->code == FAIL_PIN;
        return -1;
    }
    if (release->pin.note != NULL)
        progress_warn(request->progress, "%s", release->pin.note);
    return 0;
}

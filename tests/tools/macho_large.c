/*
 * macho_large FILE LEN: makes an arm64 executable of LEN bytes, not signed; all but its header is a
 * hole, so that it takes no space on disk.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit/macho_builder.h"

#define TEXT_LEN     0x4000u
#define LINKEDIT_LEN 0x4000u

static void make(struct macho_builder *b, uint64_t len)
{
    static const uint8_t uuid[16] = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x46, 0x17,
                                     0x98, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};
    const uint32_t build[] = {PLATFORM_MACOS, 13u << 16, 14u << 16, 1, 4, 19u << 16};
    macho_begin(b);
    b->filetype = MH_EXECUTE;
    b->base_address = UINT64_C(1) << 32;
    macho_segment(b, "__TEXT", 0, TEXT_LEN, 5);
    macho_section(b, "__TEXT", "__text", TEXT_LEN / 2, TEXT_LEN / 2, 0);
    macho_segment(b, "__DATA", TEXT_LEN, len - TEXT_LEN - LINKEDIT_LEN, 3);
    macho_section(b, "__DATA", "__data", TEXT_LEN, len - TEXT_LEN - LINKEDIT_LEN, 0);
    macho_segment(b, "__LINKEDIT", len - LINKEDIT_LEN, LINKEDIT_LEN, 1);
    macho_command(b, LC_UUID, uuid, sizeof uuid);
    macho_command_words(b, LC_BUILD_VERSION, build, 6);
    macho_finish(b, TEXT_LEN);
}

int main(int argc, char **argv)
{
    struct macho_builder b;
    uint64_t len = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (len < TEXT_LEN + 2 * LINKEDIT_LEN || len % LINKEDIT_LEN != 0) {
        fputs("usage: macho_large FILE LEN (a multiple of 16384, at least 49152)\n", stderr);
        return 2;
    }
    make(&b, len);
    int fd = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
    bool good = fd >= 0 && write(fd, b.out.data, b.out.len) == (ssize_t)b.out.len &&
                ftruncate(fd, (off_t)len) == 0 && close(fd) == 0;
    if (!good)
        perror(argv[1]);
    macho_release(&b);
    return good ? 0 : 1;
}

/* What emu.c is in a build without Unicorn: nothing can be opened, so nothing else is ever called. */
#ifndef HALLMARK_UNICORN

#    include <stdlib.h>

#    include "port/emu.h"

int emu_open(struct emu **out, bool authenticate, const struct emu_limits *limits,
             struct fail *fail)
{
    (void)out;
    (void)authenticate;
    (void)limits;
    fail_set(fail, FAIL_SYSTEM, "this hallmark was built without Unicorn, so it can run no trial");
    return fail_hint(
        fail, "build hallmark with Unicorn: with its development package, and without UNICORN=no");
}

void emu_release(struct emu **emu)
{
    (void)emu;
}

int emu_map(struct emu *emu, uint64_t address, uint64_t len, unsigned access, struct fail *fail)
{
    (void)emu;
    (void)address;
    (void)len;
    (void)access;
    (void)fail;
    abort();
}

int emu_protect(struct emu *emu, uint64_t address, uint64_t len, unsigned access, struct fail *fail)
{
    return emu_map(emu, address, len, access, fail);
}

bool emu_read(const struct emu *emu, void *out, uint64_t address, uint64_t len)
{
    (void)emu;
    (void)out;
    (void)address;
    (void)len;
    abort();
}

bool emu_write(struct emu *emu, uint64_t address, const void *data, uint64_t len)
{
    (void)emu;
    (void)address;
    (void)data;
    (void)len;
    abort();
}

uint64_t emu_get(const struct emu *emu, enum emu_register reg)
{
    (void)emu;
    (void)reg;
    abort();
}

void emu_set(struct emu *emu, enum emu_register reg, uint64_t value)
{
    (void)emu;
    (void)reg;
    (void)value;
    abort();
}

uint64_t emu_get_vector(const struct emu *emu, unsigned number)
{
    (void)emu;
    (void)number;
    abort();
}

void emu_set_vector(struct emu *emu, unsigned number, uint64_t value)
{
    (void)emu;
    (void)number;
    (void)value;
    abort();
}

struct emu_exit emu_run(struct emu *emu)
{
    (void)emu;
    abort();
}

uint64_t emu_sign(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier)
{
    (void)emu;
    (void)pointer;
    (void)key;
    (void)modifier;
    abort();
}

uint64_t emu_strip(const struct emu *emu, uint64_t pointer)
{
    (void)emu;
    (void)pointer;
    abort();
}

bool emu_is_signed(struct emu *emu, uint64_t pointer, enum emu_key key, uint64_t modifier)
{
    (void)emu;
    (void)pointer;
    (void)key;
    (void)modifier;
    abort();
}

bool emu_allows(const struct emu *emu, uint64_t address, uint64_t len, unsigned access)
{
    (void)emu;
    (void)address;
    (void)len;
    (void)access;
    abort();
}

bool emu_work(struct emu *emu, uint64_t work, enum emu_end *end)
{
    (void)emu;
    (void)work;
    (void)end;
    abort();
}

int emu_watch(struct emu *emu, uint64_t address, uint64_t len, struct fail *fail)
{
    return emu_map(emu, address, len, 0, fail);
}

unsigned emu_last_reads(const struct emu *emu, uint64_t out[EMU_READS_MAX])
{
    (void)emu;
    (void)out;
    abort();
}

uint64_t emu_instructions(const struct emu *emu)
{
    (void)emu;
    abort();
}

#endif

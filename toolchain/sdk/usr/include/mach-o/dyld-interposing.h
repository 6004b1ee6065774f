/*
 * mach-o/dyld-interposing.h: DYLD_INTERPOSE, which has dyld bind every other
 * image's uses of one function to another.
 * Facts: dyld(1), DYLD_INSERT_LIBRARIES; apple-oss-distributions dyld,
 * include/mach-o/dyld-interposing.h (section __DATA,__interpose: pairs of
 * replacement and replacee).
 */
#ifndef _DYLD_INTERPOSING_H_
#define _DYLD_INTERPOSING_H_

#define DYLD_INTERPOSE(replacement_function, replacee_function)                                    \
    __attribute__((used, section("__DATA,__interpose"))) static struct {                           \
        const void *replacement;                                                                   \
        const void *replacee;                                                                      \
    } _interpose_##replacee_function = {                                                           \
        (const void *)(unsigned long)&replacement_function,                                        \
        (const void *)(unsigned long)&replacee_function}

#endif

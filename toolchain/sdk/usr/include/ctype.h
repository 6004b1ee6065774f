/*
 * ctype.h: classes of characters. On macOS the functions exist beside Apple's
 * inline versions; only the functions are declared here.
 * Facts: C11 7.4; POSIX.1-2008, <ctype.h>.
 */
#ifndef _CTYPE_H_
#define _CTYPE_H_

#include <sys/cdefs.h>

__BEGIN_DECLS

extern int isalnum(int c);
extern int isalpha(int c);
extern int isascii(int c);
extern int isblank(int c);
extern int iscntrl(int c);
extern int isdigit(int c);
extern int isgraph(int c);
extern int islower(int c);
extern int isprint(int c);
extern int ispunct(int c);
extern int isspace(int c);
extern int isupper(int c);
extern int isxdigit(int c);
extern int toascii(int c);
extern int tolower(int c);
extern int toupper(int c);

__END_DECLS

#endif

/*
 * math.h: mathematical functions and constants.
 * Facts: C11 7.12; POSIX.1-2008, <math.h> (M_PI and its kin, Bessel
 * functions); clang's builtins for classification.
 */
#ifndef __MATH_H__
#define __MATH_H__

#include <sys/cdefs.h>

__BEGIN_DECLS

typedef float float_t;
typedef double double_t;

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VALL __builtin_huge_vall()
#ifndef INFINITY /* float.h may have them */
#define INFINITY HUGE_VALF
#endif
#ifndef NAN
#define NAN __builtin_nanf("0x7fc00000")
#endif

#define FP_NAN 1
#define FP_INFINITE 2
#define FP_ZERO 3
#define FP_NORMAL 4
#define FP_SUBNORMAL 5
#define FP_FAST_FMA 1
#define FP_FAST_FMAF 1
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)
#define MATH_ERRNO 1
#define MATH_ERREXCEPT 2
#define math_errhandling (__math_errhandling())
extern int __math_errhandling(void);

#define fpclassify(x)                                                                              \
    __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#define M_E 2.71828182845904523536028747135266250
#define M_LOG2E 1.44269504088896340735992468100189214
#define M_LOG10E 0.434294481903251827651128918916605082
#define M_LN2 0.693147180559945309417232121458176568
#define M_LN10 2.30258509299404568401799145468436421
#define M_PI 3.14159265358979323846264338327950288
#define M_PI_2 1.57079632679489661923132169163975144
#define M_PI_4 0.785398163397448309615660845819875721
#define M_1_PI 0.318309886183790671537767526745028724
#define M_2_PI 0.636619772367581343075535053490057448
#define M_2_SQRTPI 1.12837916709551257389615890312154517
#define M_SQRT2 1.41421356237309504880168872420969808
#define M_SQRT1_2 0.707106781186547524400844362104849039

/* one argument */
extern float acosf(float x);
extern double acos(double x);
extern long double acosl(long double x);
extern float asinf(float x);
extern double asin(double x);
extern long double asinl(long double x);
extern float atanf(float x);
extern double atan(double x);
extern long double atanl(long double x);
extern float cosf(float x);
extern double cos(double x);
extern long double cosl(long double x);
extern float sinf(float x);
extern double sin(double x);
extern long double sinl(long double x);
extern float tanf(float x);
extern double tan(double x);
extern long double tanl(long double x);
extern float acoshf(float x);
extern double acosh(double x);
extern long double acoshl(long double x);
extern float asinhf(float x);
extern double asinh(double x);
extern long double asinhl(long double x);
extern float atanhf(float x);
extern double atanh(double x);
extern long double atanhl(long double x);
extern float coshf(float x);
extern double cosh(double x);
extern long double coshl(long double x);
extern float sinhf(float x);
extern double sinh(double x);
extern long double sinhl(long double x);
extern float tanhf(float x);
extern double tanh(double x);
extern long double tanhl(long double x);
extern float expf(float x);
extern double exp(double x);
extern long double expl(long double x);
extern float exp2f(float x);
extern double exp2(double x);
extern long double exp2l(long double x);
extern float expm1f(float x);
extern double expm1(double x);
extern long double expm1l(long double x);
extern float logf(float x);
extern double log(double x);
extern long double logl(long double x);
extern float log10f(float x);
extern double log10(double x);
extern long double log10l(long double x);
extern float log2f(float x);
extern double log2(double x);
extern long double log2l(long double x);
extern float log1pf(float x);
extern double log1p(double x);
extern long double log1pl(long double x);
extern float logbf(float x);
extern double logb(double x);
extern long double logbl(long double x);
extern float cbrtf(float x);
extern double cbrt(double x);
extern long double cbrtl(long double x);
extern float fabsf(float x);
extern double fabs(double x);
extern long double fabsl(long double x);
extern float sqrtf(float x);
extern double sqrt(double x);
extern long double sqrtl(long double x);
extern float erff(float x);
extern double erf(double x);
extern long double erfl(long double x);
extern float erfcf(float x);
extern double erfc(double x);
extern long double erfcl(long double x);
extern float lgammaf(float x);
extern double lgamma(double x);
extern long double lgammal(long double x);
extern float tgammaf(float x);
extern double tgamma(double x);
extern long double tgammal(long double x);
extern float ceilf(float x);
extern double ceil(double x);
extern long double ceill(long double x);
extern float floorf(float x);
extern double floor(double x);
extern long double floorl(long double x);
extern float nearbyintf(float x);
extern double nearbyint(double x);
extern long double nearbyintl(long double x);
extern float rintf(float x);
extern double rint(double x);
extern long double rintl(long double x);
extern float roundf(float x);
extern double round(double x);
extern long double roundl(long double x);
extern float truncf(float x);
extern double trunc(double x);
extern long double truncl(long double x);

/* two arguments */
extern float atan2f(float x, float y);
extern double atan2(double x, double y);
extern long double atan2l(long double x, long double y);
extern float copysignf(float x, float y);
extern double copysign(double x, double y);
extern long double copysignl(long double x, long double y);
extern float fdimf(float x, float y);
extern double fdim(double x, double y);
extern long double fdiml(long double x, long double y);
extern float fmaxf(float x, float y);
extern double fmax(double x, double y);
extern long double fmaxl(long double x, long double y);
extern float fminf(float x, float y);
extern double fmin(double x, double y);
extern long double fminl(long double x, long double y);
extern float fmodf(float x, float y);
extern double fmod(double x, double y);
extern long double fmodl(long double x, long double y);
extern float hypotf(float x, float y);
extern double hypot(double x, double y);
extern long double hypotl(long double x, long double y);
extern float nextafterf(float x, float y);
extern double nextafter(double x, double y);
extern long double nextafterl(long double x, long double y);
extern float powf(float x, float y);
extern double pow(double x, double y);
extern long double powl(long double x, long double y);
extern float remainderf(float x, float y);
extern double remainder(double x, double y);
extern long double remainderl(long double x, long double y);

/* three arguments */
extern float fmaf(float x, float y, float z);
extern double fma(double x, double y, double z);
extern long double fmal(long double x, long double y, long double z);

/* to and from integers */
extern int ilogbf(float x);
extern int ilogb(double x);
extern int ilogbl(long double x);
extern long lrintf(float x);
extern long lrint(double x);
extern long lrintl(long double x);
extern long long llrintf(float x);
extern long long llrint(double x);
extern long long llrintl(long double x);
extern long lroundf(float x);
extern long lround(double x);
extern long lroundl(long double x);
extern long long llroundf(float x);
extern long long llround(double x);
extern long long llroundl(long double x);
extern float ldexpf(float x, int exponent);
extern double ldexp(double x, int exponent);
extern long double ldexpl(long double x, int exponent);
extern float scalbnf(float x, int exponent);
extern double scalbn(double x, int exponent);
extern long double scalbnl(long double x, int exponent);
extern float scalblnf(float x, long exponent);
extern double scalbln(double x, long exponent);
extern long double scalblnl(long double x, long exponent);

/* results through pointers, and the rest */
extern float frexpf(float x, int *exponent);
extern double frexp(double x, int *exponent);
extern long double frexpl(long double x, int *exponent);
extern float modff(float x, float *whole);
extern double modf(double x, double *whole);
extern long double modfl(long double x, long double *whole);
extern float remquof(float x, float y, int *quotient);
extern double remquo(double x, double y, int *quotient);
extern long double remquol(long double x, long double y, int *quotient);
extern float nanf(const char *tag);
extern double nan(const char *tag);
extern long double nanl(const char *tag);
extern float nexttowardf(float x, long double y);
extern double nexttoward(double x, long double y);
extern long double nexttowardl(long double x, long double y);

/* X/Open */
extern double j0(double x);
extern double j1(double x);
extern double y0(double x);
extern double y1(double x);
extern double jn(int order, double x);
extern double yn(int order, double x);
extern double scalb(double x, double exponent);
extern int signgam;

/* Apple's additions */
extern float __exp10f(float x);
extern double __exp10(double x);
extern float __cospif(float x);
extern double __cospi(double x);
extern float __sinpif(float x);
extern double __sinpi(double x);
extern float __tanpif(float x);
extern double __tanpi(double x);

__END_DECLS

#endif

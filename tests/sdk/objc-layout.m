/* The same for Objective-C: BOOL, NSInteger, structures, literals of values. */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <objc/message.h>

#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define VALUE(expression, value) _Static_assert((expression) == (value), #expression)
#define SAME(a, b) _Static_assert(__builtin_types_compatible_p(a, b), #a)

SAME(BOOL, _Bool);
SAME(NSInteger, long);
SAME(NSUInteger, unsigned long);
SAME(unichar, unsigned short);
SAME(NSTimeInterval, double);
SAME(CFIndex, long);
SAME(CFStringEncoding, unsigned int);
SAME(__typeof__(((id<MTLDevice>)nil).registryID), unsigned long long);
SAME(__typeof__(((id<MTLDevice>)nil).maxThreadgroupMemoryLength), unsigned long);
SAME(__typeof__(((id<MTLDevice>)nil).recommendedMaxWorkingSetSize), unsigned long long);
SAME(__typeof__(((id<MTLDevice>)nil).hasUnifiedMemory), _Bool);
_Static_assert((MTLGPUFamily)-1 < 0, "families are signed");
_Static_assert((MTLFeatureSet)-1 > 0, "feature sets are unsigned");

SIZE(BOOL, 1);
SIZE(MTLGPUFamily, 8);
SIZE(MTLSize, 24);
SIZE(NSRange, 16);
SIZE(NSOperatingSystemVersion, 24);
SIZE(NSFastEnumerationState, 64);
SIZE(MTLRegion, 48);
SIZE(struct objc_super, 16);
SIZE(struct objc_method_description, 16);
SIZE(objc_property_attribute_t, 16);
SIZE(NSComparisonResult, 8);

VALUE(MTLGPUFamilyApple1, 1001);
VALUE(MTLGPUFamilyApple10, 1010);
VALUE(MTLGPUFamilyMac1, 2001);
VALUE(MTLGPUFamilyMac2, 2002);
VALUE(MTLGPUFamilyCommon1, 3001);
VALUE(MTLGPUFamilyCommon3, 3003);
VALUE(MTLGPUFamilyMacCatalyst2, 4002);
VALUE(MTLGPUFamilyMetal3, 5001);
VALUE(MTLGPUFamilyMetal4, 5002);
VALUE(NSIntegerMax, 0x7fffffffffffffff);
VALUE(NSUTF8StringEncoding, 4);
VALUE(kCFStringEncodingUTF8, 0x08000100);
VALUE(kCFNumberNSIntegerType, 15);
VALUE(OBJC_ASSOCIATION_COPY, 01403);
VALUE(__MAC_OS_X_VERSION_MIN_REQUIRED, 130000);
VALUE(__MAC_OS_X_VERSION_MAX_ALLOWED, 140000);

/*
 * objc/runtime.h: the public interface of the Objective-C runtime. Functions
 * whose names have "copy" in them return memory that the caller frees.
 * Facts: apple-oss-distributions objc4, runtime/runtime.h; Apple's
 * documentation "Objective-C Runtime".
 */
#ifndef _OBJC_RUNTIME_H
#define _OBJC_RUNTIME_H

#include <Availability.h>
#include <TargetConditionals.h>
#include <objc/objc.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

_Pragma("clang assume_nonnull begin")
__BEGIN_DECLS

typedef struct objc_method *Method;
typedef struct objc_ivar *Ivar;
typedef struct objc_category *Category;
typedef struct objc_property *objc_property_t;

struct objc_method_description {
    SEL _Nullable name;
    char *_Nullable types;
};

typedef struct {
    const char *name;
    const char *value;
} objc_property_attribute_t;

struct mach_header;

/* objects */
OBJC_EXPORT id _Nullable object_copy(id _Nullable object, size_t size) OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT id _Nullable object_dispose(id _Nullable object) OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT Class _Nullable object_getClass(id _Nullable object);
OBJC_EXPORT Class _Nullable object_setClass(id _Nullable object, Class cls);
OBJC_EXPORT BOOL object_isClass(id _Nullable object);
OBJC_EXPORT id _Nullable object_getIvar(id _Nullable object, Ivar ivar);
OBJC_EXPORT void object_setIvar(id _Nullable object, Ivar ivar, id _Nullable value);
OBJC_EXPORT void object_setIvarWithStrongDefault(id _Nullable object, Ivar ivar,
                                                 id _Nullable value);
OBJC_EXPORT Ivar _Nullable object_setInstanceVariable(id _Nullable object, const char *name,
                                                      void *_Nullable value) OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT Ivar _Nullable object_setInstanceVariableWithStrongDefault(
    id _Nullable object, const char *name, void *_Nullable value) OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT Ivar _Nullable object_getInstanceVariable(id _Nullable object, const char *name,
                                                      void *_Nullable *_Nullable value)
    OBJC_ARC_UNAVAILABLE;

/* finding classes */
OBJC_EXPORT Class _Nullable objc_getClass(const char *name);
OBJC_EXPORT Class _Nullable objc_getMetaClass(const char *name);
OBJC_EXPORT Class _Nullable objc_lookUpClass(const char *name);
OBJC_EXPORT Class objc_getRequiredClass(const char *name);
OBJC_EXPORT int objc_getClassList(Class _Nonnull *_Nullable buffer, int count);
OBJC_EXPORT Class _Nonnull *_Nullable objc_copyClassList(unsigned int *_Nullable count);
#define OBJC_DYNAMIC_CLASSES ((const void *)-1)
#ifdef __BLOCKS__
OBJC_EXPORT void objc_enumerateClasses(const void *_Nullable image, const char *_Nullable prefix,
                                       Protocol *_Nullable conforming_to,
                                       Class _Nullable subclassing,
                                       void (^block)(Class cls, BOOL *stop) OBJC_NOESCAPE)
    API_AVAILABLE(macos(13.0)) __attribute__((not_tail_called));
#endif
OBJC_EXPORT Class objc_getFutureClass(const char *name) OBJC_ARC_UNAVAILABLE;

/* properties of a class */
OBJC_EXPORT const char *class_getName(Class _Nullable cls);
OBJC_EXPORT BOOL class_isMetaClass(Class _Nullable cls);
OBJC_EXPORT Class _Nullable class_getSuperclass(Class _Nullable cls);
OBJC_EXPORT Class class_setSuperclass(Class cls, Class new_superclass)
    API_DEPRECATED("not recommended", macos(10.5, 10.5));
OBJC_EXPORT int class_getVersion(Class _Nullable cls);
OBJC_EXPORT void class_setVersion(Class _Nullable cls, int version);
OBJC_EXPORT size_t class_getInstanceSize(Class _Nullable cls);
OBJC_EXPORT const char *_Nullable class_getImageName(Class _Nullable cls);

/* instance variables of a class */
OBJC_EXPORT Ivar _Nullable class_getInstanceVariable(Class _Nullable cls, const char *name);
OBJC_EXPORT Ivar _Nullable class_getClassVariable(Class _Nullable cls, const char *name);
OBJC_EXPORT Ivar _Nonnull *_Nullable class_copyIvarList(Class _Nullable cls,
                                                        unsigned int *_Nullable count);
OBJC_EXPORT BOOL class_addIvar(Class _Nullable cls, const char *name, size_t size,
                               uint8_t alignment, const char *_Nullable types);
OBJC_EXPORT const uint8_t *_Nullable class_getIvarLayout(Class _Nullable cls);
OBJC_EXPORT const uint8_t *_Nullable class_getWeakIvarLayout(Class _Nullable cls);
OBJC_EXPORT void class_setIvarLayout(Class _Nullable cls, const uint8_t *_Nullable layout);
OBJC_EXPORT void class_setWeakIvarLayout(Class _Nullable cls, const uint8_t *_Nullable layout);

/* methods of a class */
OBJC_EXPORT Method _Nullable class_getInstanceMethod(Class _Nullable cls, SEL name);
OBJC_EXPORT Method _Nullable class_getClassMethod(Class _Nullable cls, SEL name);
OBJC_EXPORT IMP _Nullable class_getMethodImplementation(Class _Nullable cls, SEL name);
OBJC_EXPORT BOOL class_respondsToSelector(Class _Nullable cls, SEL selector);
OBJC_EXPORT Method _Nonnull *_Nullable class_copyMethodList(Class _Nullable cls,
                                                            unsigned int *_Nullable count);
OBJC_EXPORT BOOL class_addMethod(Class _Nullable cls, SEL name, IMP implementation,
                                 const char *_Nullable types);
OBJC_EXPORT IMP _Nullable class_replaceMethod(Class _Nullable cls, SEL name, IMP implementation,
                                              const char *_Nullable types);

/* protocols and declared properties of a class */
OBJC_EXPORT BOOL class_conformsToProtocol(Class _Nullable cls, Protocol *_Nullable protocol);
OBJC_EXPORT Protocol *__unsafe_unretained _Nonnull *_Nullable
class_copyProtocolList(Class _Nullable cls, unsigned int *_Nullable count);
OBJC_EXPORT BOOL class_addProtocol(Class _Nullable cls, Protocol *protocol);
OBJC_EXPORT objc_property_t _Nullable class_getProperty(Class _Nullable cls, const char *name);
OBJC_EXPORT objc_property_t _Nonnull *_Nullable
class_copyPropertyList(Class _Nullable cls, unsigned int *_Nullable count);
OBJC_EXPORT BOOL class_addProperty(Class _Nullable cls, const char *name,
                                   const objc_property_attribute_t *_Nullable attributes,
                                   unsigned int attribute_count);
OBJC_EXPORT void class_replaceProperty(Class _Nullable cls, const char *name,
                                       const objc_property_attribute_t *_Nullable attributes,
                                       unsigned int attribute_count);

/* making instances and classes */
OBJC_EXPORT id _Nullable class_createInstance(Class _Nullable cls, size_t extra_bytes)
    OBJC_RETURNS_RETAINED;
OBJC_EXPORT id _Nullable objc_constructInstance(Class _Nullable cls, void *_Nullable bytes)
    OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT void *_Nullable objc_destructInstance(id _Nullable object) OBJC_ARC_UNAVAILABLE;
OBJC_EXPORT Class _Nullable objc_allocateClassPair(Class _Nullable superclass, const char *name,
                                                   size_t extra_bytes);
OBJC_EXPORT void objc_registerClassPair(Class cls);
OBJC_EXPORT Class objc_duplicateClass(Class original, const char *name, size_t extra_bytes);
OBJC_EXPORT void objc_disposeClassPair(Class cls);

/* methods */
OBJC_EXPORT SEL method_getName(Method method);
OBJC_EXPORT IMP method_getImplementation(Method method);
OBJC_EXPORT const char *_Nullable method_getTypeEncoding(Method method);
OBJC_EXPORT unsigned int method_getNumberOfArguments(Method method);
OBJC_EXPORT char *method_copyReturnType(Method method);
OBJC_EXPORT char *_Nullable method_copyArgumentType(Method method, unsigned int index);
OBJC_EXPORT void method_getReturnType(Method method, char *type, size_t type_size);
OBJC_EXPORT void method_getArgumentType(Method method, unsigned int index, char *_Nullable type,
                                        size_t type_size);
OBJC_EXPORT struct objc_method_description *method_getDescription(Method method);
OBJC_EXPORT IMP method_setImplementation(Method method, IMP implementation);
OBJC_EXPORT void method_exchangeImplementations(Method a, Method b);

/* instance variables and declared properties */
OBJC_EXPORT const char *_Nullable ivar_getName(Ivar ivar);
OBJC_EXPORT const char *_Nullable ivar_getTypeEncoding(Ivar ivar);
OBJC_EXPORT ptrdiff_t ivar_getOffset(Ivar ivar);
OBJC_EXPORT const char *property_getName(objc_property_t property);
OBJC_EXPORT const char *_Nullable property_getAttributes(objc_property_t property);
OBJC_EXPORT objc_property_attribute_t *_Nullable
property_copyAttributeList(objc_property_t property, unsigned int *_Nullable count);
OBJC_EXPORT char *_Nullable property_copyAttributeValue(objc_property_t property,
                                                        const char *name);

/* protocols */
OBJC_EXPORT Protocol *_Nullable objc_getProtocol(const char *name);
OBJC_EXPORT Protocol *__unsafe_unretained _Nonnull *_Nullable
objc_copyProtocolList(unsigned int *_Nullable count);
OBJC_EXPORT BOOL protocol_conformsToProtocol(Protocol *_Nullable protocol,
                                             Protocol *_Nullable other);
OBJC_EXPORT BOOL protocol_isEqual(Protocol *_Nullable protocol, Protocol *_Nullable other);
OBJC_EXPORT const char *protocol_getName(Protocol *protocol);
OBJC_EXPORT struct objc_method_description protocol_getMethodDescription(Protocol *protocol,
                                                                         SEL selector,
                                                                         BOOL required,
                                                                         BOOL instance);
OBJC_EXPORT struct objc_method_description *_Nullable
protocol_copyMethodDescriptionList(Protocol *protocol, BOOL required, BOOL instance,
                                   unsigned int *_Nullable count);
OBJC_EXPORT objc_property_t _Nullable protocol_getProperty(Protocol *protocol, const char *name,
                                                           BOOL required, BOOL instance);
OBJC_EXPORT objc_property_t _Nonnull *_Nullable
protocol_copyPropertyList(Protocol *protocol, unsigned int *_Nullable count);
OBJC_EXPORT objc_property_t _Nonnull *_Nullable
protocol_copyPropertyList2(Protocol *protocol, unsigned int *_Nullable count, BOOL required,
                           BOOL instance);
OBJC_EXPORT Protocol *__unsafe_unretained _Nonnull *_Nullable
protocol_copyProtocolList(Protocol *protocol, unsigned int *_Nullable count);
OBJC_EXPORT Protocol *_Nullable objc_allocateProtocol(const char *name);
OBJC_EXPORT void objc_registerProtocol(Protocol *protocol);
OBJC_EXPORT void protocol_addMethodDescription(Protocol *protocol, SEL name,
                                               const char *_Nullable types, BOOL required,
                                               BOOL instance);
OBJC_EXPORT void protocol_addProtocol(Protocol *protocol, Protocol *addition);
OBJC_EXPORT void protocol_addProperty(Protocol *protocol, const char *name,
                                      const objc_property_attribute_t *_Nullable attributes,
                                      unsigned int attribute_count, BOOL required, BOOL instance);

/* images */
OBJC_EXPORT const char *_Nonnull *_Nonnull objc_copyImageNames(unsigned int *_Nullable count);
OBJC_EXPORT const char *_Nonnull *_Nullable
objc_copyClassNamesForImage(const char *image, unsigned int *_Nullable count);

/* selectors */
OBJC_EXPORT BOOL sel_isEqual(SEL a, SEL b);

/* language support */
OBJC_EXPORT void objc_enumerationMutation(id object);
OBJC_EXPORT void objc_setEnumerationMutationHandler(void (*_Nullable handler)(id object));
OBJC_EXPORT void objc_setForwardHandler(void *forward, void *forward_stret);
OBJC_EXPORT IMP imp_implementationWithBlock(id block);
OBJC_EXPORT id _Nullable imp_getBlock(IMP implementation);
OBJC_EXPORT BOOL imp_removeBlock(IMP implementation);
OBJC_EXPORT id _Nullable objc_loadWeak(id _Nullable *_Nonnull location);
OBJC_EXPORT id _Nullable objc_storeWeak(id _Nullable *_Nonnull location, id _Nullable object);

/* associated objects */
typedef OBJC_ENUM(uintptr_t, objc_AssociationPolicy){
    OBJC_ASSOCIATION_ASSIGN = 0,
    OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
    OBJC_ASSOCIATION_COPY_NONATOMIC = 3,
    OBJC_ASSOCIATION_RETAIN = 01401,
    OBJC_ASSOCIATION_COPY = 01403,
};

OBJC_EXPORT void objc_setAssociatedObject(id object, const void *key, id _Nullable value,
                                          objc_AssociationPolicy policy);
OBJC_EXPORT id _Nullable objc_getAssociatedObject(id object, const void *key);
OBJC_EXPORT void objc_removeAssociatedObjects(id object);

/* hooks into the runtime */
typedef BOOL (*objc_hook_getImageName)(Class cls, const char *_Nullable *_Nonnull image_name);
typedef BOOL (*objc_hook_getClass)(const char *name, Class _Nullable *_Nonnull cls);
typedef void (*objc_func_loadImage)(const struct mach_header *header);
typedef const char *_Nullable (*objc_hook_lazyClassNamer)(Class cls);
typedef Class _Nullable (*_objc_swiftMetadataInitializer)(Class cls, void *_Nullable argument);
#define OBJC_GETCLASSHOOK_DEFINED 1
#define OBJC_ADDLOADIMAGEFUNC_DEFINED 1
#define OBJC_SETHOOK_LAZYCLASSNAMER_DEFINED 1
#define OBJC_REALIZECLASSFROMSWIFT_DEFINED 1

OBJC_EXPORT void objc_setHook_getImageName(objc_hook_getImageName hook,
                                           objc_hook_getImageName _Nullable *_Nonnull old_hook);
OBJC_EXPORT void objc_setHook_getClass(objc_hook_getClass hook,
                                       objc_hook_getClass _Nullable *_Nonnull old_hook);
OBJC_EXPORT void objc_addLoadImageFunc(objc_func_loadImage function);
OBJC_EXPORT void objc_setHook_lazyClassNamer(objc_hook_lazyClassNamer hook,
                                             objc_hook_lazyClassNamer _Nonnull *_Nonnull old_hook);
OBJC_EXPORT Class _Nullable _objc_realizeClassFromSwift(Class _Nullable cls,
                                                        void *_Nullable previously);

/* characters of type encodings */
#define _C_ID '@'
#define _C_CLASS '#'
#define _C_SEL ':'
#define _C_CHR 'c'
#define _C_UCHR 'C'
#define _C_SHT 's'
#define _C_USHT 'S'
#define _C_INT 'i'
#define _C_UINT 'I'
#define _C_LNG 'l'
#define _C_ULNG 'L'
#define _C_LNG_LNG 'q'
#define _C_ULNG_LNG 'Q'
#define _C_INT128 't'
#define _C_UINT128 'T'
#define _C_FLT 'f'
#define _C_DBL 'd'
#define _C_LNG_DBL 'D'
#define _C_BFLD 'b'
#define _C_BOOL 'B'
#define _C_VOID 'v'
#define _C_UNDEF '?'
#define _C_PTR '^'
#define _C_CHARPTR '*'
#define _C_ATOM '%'
#define _C_ARY_B '['
#define _C_ARY_E ']'
#define _C_UNION_B '('
#define _C_UNION_E ')'
#define _C_STRUCT_B '{'
#define _C_STRUCT_E '}'
#define _C_VECTOR '!'

/* and of their qualifiers */
#define _C_COMPLEX 'j'
#define _C_ATOMIC 'A'
#define _C_CONST 'r'
#define _C_IN 'n'
#define _C_INOUT 'N'
#define _C_OUT 'o'
#define _C_BYCOPY 'O'
#define _C_BYREF 'R'
#define _C_ONEWAY 'V'
#define _C_GNUREGISTER '+'

/* kept for old code */
OBJC_EXPORT void _objc_flush_caches(Class _Nullable cls)
    API_DEPRECATED("not recommended", macos(10.0, 10.5));
OBJC_EXPORT IMP _Nullable class_lookupMethod(Class _Nullable cls, SEL selector)
    API_DEPRECATED("use class_getMethodImplementation instead", macos(10.0, 10.5));
OBJC_EXPORT BOOL class_respondsToMethod(Class _Nullable cls, SEL selector)
    API_DEPRECATED("use class_respondsToSelector instead", macos(10.0, 10.5));
OBJC_EXPORT id _Nullable object_copyFromZone(id _Nullable object, size_t size,
                                             void *_Nullable zone)
    API_DEPRECATED("use object_copy instead", macos(10.0, 10.5));
OBJC_EXPORT id _Nullable class_createInstanceFromZone(Class _Nullable cls, size_t extra_bytes,
                                                      void *_Nullable zone)
    API_DEPRECATED("use class_createInstance instead", macos(10.0, 10.5));

__END_DECLS
_Pragma("clang assume_nonnull end")

#endif

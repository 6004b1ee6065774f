/* A dylib that walks the runtime: exchanges methods, adds a class, lists images and methods. */
#import <Foundation/Foundation.h>
#import <objc/objc-exception.h>
#import <objc/objc-sync.h>
#import <objc/runtime.h>

@interface NSProcessInfo (Swizzled)
- (NSString *)swizzled_hostName;
@end

@implementation NSProcessInfo (Swizzled)

- (NSString *)swizzled_hostName
{
    return [[self swizzled_hostName] stringByAppendingString:@".invalid"];
}

+ (void)load
{
    Method original = class_getInstanceMethod(self, @selector(hostName));
    Method replacement = class_getInstanceMethod(self, @selector(swizzled_hostName));
    if (original && replacement)
        method_exchangeImplementations(original, replacement);
}

@end

static void list_methods(Class cls)
{
    unsigned int count = 0;
    Method *methods = class_copyMethodList(cls, &count);
    for (unsigned int i = 0; i < count; i++) {
        char *type = method_copyReturnType(methods[i]);
        NSLog(@"%s %s -> %s", class_getName(cls), sel_getName(method_getName(methods[i])), type);
        free(type);
    }
    free(methods);
}

static void add_class(void)
{
    Class cls = objc_allocateClassPair([NSObject class], "SDKAddedClass", 0);
    if (!cls)
        return;
    IMP answer = imp_implementationWithBlock(^NSInteger(id self, NSInteger addend) {
        return (NSInteger)[self hash] + addend;
    });
    class_addMethod(cls, sel_registerName("answer:"), answer, "q@:q");
    class_addIvar(cls, "value", sizeof(id), 3, "@");
    class_addProtocol(cls, @protocol(NSCopying));
    objc_property_attribute_t attributes[] = {{"T", "@\"NSString\""}, {"C", ""}};
    class_addProperty(cls, "name", attributes, 2);
    objc_registerClassPair(cls);
}

__attribute__((constructor)) static void start(void)
{
    @autoreleasepool {
        add_class();
        list_methods(objc_getClass("SDKAddedClass"));
        unsigned int count = 0;
        const char **images = objc_copyImageNames(&count);
        NSLog(@"%u images, the first is %s", count, count ? images[0] : "none");
        free(images);
        NSObject *lock = [NSObject new];
        if (objc_sync_enter(lock) == OBJC_SYNC_SUCCESS)
            objc_sync_exit(lock);
    }
}

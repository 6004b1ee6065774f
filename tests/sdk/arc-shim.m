/* A capability shim with ARC: blocks, literals, dispatch, associated objects, exceptions. */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#import <dispatch/dispatch.h>
#import <objc/runtime.h>

typedef BOOL (*family_function)(id, SEL, MTLGPUFamily);

@interface CapabilityTable : NSObject <NSCopying>
@property (nonatomic, copy, readonly) NSDictionary<NSString *, NSNumber *> *ceilings;
@property (nonatomic, weak) id<MTLDevice> device;
@property (atomic, copy) NSString *label;
- (instancetype)initWithCeilings:(NSDictionary<NSString *, NSNumber *> *)ceilings;
- (BOOL)allows:(MTLGPUFamily)family error:(NSError **)error;
@end

@implementation CapabilityTable

- (instancetype)initWithCeilings:(NSDictionary<NSString *, NSNumber *> *)ceilings
{
    self = [super init];
    if (self)
        _ceilings = [ceilings copy];
    return self;
}

- (id)copyWithZone:(NSZone *)zone
{
    return [[[self class] allocWithZone:zone] initWithCeilings:self.ceilings];
}

- (BOOL)allows:(MTLGPUFamily)family error:(NSError **)error
{
    for (NSString *name in self.ceilings) {
        NSNumber *ceiling = self.ceilings[name];
        if (ceiling.integerValue >= family)
            return YES;
    }
    if (error)
        *error = [NSError errorWithDomain:NSPOSIXErrorDomain
                                     code:ENOTSUP
                                 userInfo:@{NSLocalizedDescriptionKey : @"above every ceiling"}];
    return NO;
}

- (NSString *)description
{
    return [NSString stringWithFormat:@"<%@ %p: %@>", NSStringFromClass([self class]),
                                      (void *)self, self.ceilings];
}

@end

static family_function original;
static CapabilityTable *table;
static char table_key;

static BOOL supports_family(id self, SEL selector, MTLGPUFamily family)
{
    NSError *error = nil;
    if ([table allows:family error:&error])
        return YES;
    NSLog(@"family %ld: %@", (long)family, error.localizedDescription);
    return original ? original(self, selector, family) : NO;
}

static void install(void)
{
    NSArray<NSString *> *names = @[ @"_MTLDevice", @"MTLSimDevice" ];
    NSMutableArray<NSString *> *found = [NSMutableArray array];
    [names enumerateObjectsUsingBlock:^(NSString *name, NSUInteger index, BOOL *stop) {
        Class cls = NSClassFromString(name);
        if (!cls)
            return;
        [found addObject:[NSString stringWithFormat:@"%lu:%@", (unsigned long)index, name]];
        Method method = class_getInstanceMethod(cls, @selector(supportsFamily:));
        if (method) {
            original = (family_function)method_getImplementation(method);
            class_replaceMethod(cls, @selector(supportsFamily:), (IMP)supports_family,
                                method_getTypeEncoding(method));
            objc_setAssociatedObject(cls, &table_key, table, OBJC_ASSOCIATION_RETAIN);
            *stop = YES;
        }
    }];
    NSLog(@"%@ in %@", [found componentsJoinedByString:@", "],
          NSProcessInfo.processInfo.processName);
}

__attribute__((constructor)) static void start(void)
{
    @autoreleasepool {
        static dispatch_once_t once;
        dispatch_once(&once, ^{
            table = [[CapabilityTable alloc] initWithCeilings:@{@"apple" : @1009, @"mac" : @(2002)}];
            table.label = @"default";
        });
        __weak CapabilityTable *weak = table;
        dispatch_async(dispatch_get_main_queue(), ^{
            NSLog(@"%@", weak);
        });
        dispatch_queue_t queue = dispatch_queue_create("arc-shim", DISPATCH_QUEUE_SERIAL);
        dispatch_sync(queue, ^{
            @try {
                install();
            } @catch (NSException *exception) {
                NSLog(@"%@: %@", exception.name, exception.reason);
            } @finally {
                NSLog(@"done");
            }
        });
        NSOperatingSystemVersion wanted = {14, 0, 0};
        if ([NSProcessInfo.processInfo isOperatingSystemAtLeastVersion:wanted])
            NSLog(@"%@", NSBundle.mainBundle.bundleIdentifier ?: @"no bundle");
    }
}

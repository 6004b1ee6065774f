/* A shim without ARC: retain, release, autorelease pools, toll-free bridging, forwarding. */
#import <CoreFoundation/CoreFoundation.h>
#import <Foundation/Foundation.h>
#import <objc/message.h>
#import <objc/runtime.h>

@interface Forwarder : NSObject {
    id target;
    NSMutableDictionary *counts;
}
- (id)initWithTarget:(id)newTarget;
@end

@implementation Forwarder

- (id)initWithTarget:(id)newTarget
{
    self = [super init];
    if (self) {
        target = [newTarget retain];
        counts = [[NSMutableDictionary alloc] init];
    }
    return self;
}

- (void)dealloc
{
    [target release];
    [counts release];
    [super dealloc];
}

- (NSMethodSignature *)methodSignatureForSelector:(SEL)selector
{
    NSMethodSignature *signature = [super methodSignatureForSelector:selector];
    return signature ? signature : [target methodSignatureForSelector:selector];
}

- (void)forwardInvocation:(NSInvocation *)invocation
{
    NSString *name = NSStringFromSelector([invocation selector]);
    NSUInteger count = [[counts objectForKey:name] unsignedIntegerValue];
    [counts setObject:[NSNumber numberWithUnsignedInteger:count + 1] forKey:name];
    [invocation invokeWithTarget:target];
}

@end

static NSString *bridged(void)
{
    CFMutableArrayRef array = CFArrayCreateMutable(kCFAllocatorDefault, 0, &kCFTypeArrayCallBacks);
    int number = 7;
    CFNumberRef boxed = CFNumberCreate(NULL, kCFNumberIntType, &number);
    CFArrayAppendValue(array, boxed);
    CFArrayAppendValue(array, CFSTR("text"));
    CFRelease(boxed);
    NSString *joined = [(NSArray *)array componentsJoinedByString:@"/"];
    CFRelease(array);
    CFStringRef copy = CFStringCreateCopy(NULL, (CFStringRef)joined);
    return [(NSString *)copy autorelease];
}

static NSUInteger length_of(id string)
{
    NSUInteger (*send)(id, SEL) = (NSUInteger(*)(id, SEL))objc_msgSend;
    return send(string, sel_registerName("length"));
}

__attribute__((constructor)) static void start(void)
{
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    Forwarder *forwarder = [[Forwarder alloc] initWithTarget:@"target"];
    id upper = [(NSString *)forwarder uppercaseString];
    NSLog(@"%@ %@ %lu", upper, bridged(), (unsigned long)length_of(upper));
    @synchronized(forwarder) {
        for (id each in [NSArray arrayWithObjects:@"a", @"b", nil])
            NSLog(@"%@ %s", each, object_getClassName(each));
    }
    if ([forwarder conformsToProtocol:@protocol(NSObject)])
        NSLog(@"%@", NSStringFromProtocol(@protocol(NSObject)));
    [forwarder release];
    [pool drain];
}

/* What the compiler calls by itself: each construct here makes it use another helper. */
#import <Foundation/Foundation.h>
#import <math.h>

@interface Every : NSObject
@property (atomic, strong) id atomicStrong;
@property (atomic, copy) id atomicCopy;
@property (nonatomic, copy) id plainCopy;
@property (nonatomic, strong) id plainStrong;
@property (atomic) NSOperatingSystemVersion atomicStructure;
@property (class, atomic, readonly) Every *shared;
@end

@implementation Every
+ (Every *)shared
{
    return [self new];
}
@end

id make(id __weak *location, void (^block)(id));
double angles(double angle);
unsigned __int128 quotient(unsigned __int128 a, unsigned __int128 b);
_Complex double product(_Complex double a, _Complex double b);
static _Thread_local int counter;

id make(id __weak *location, void (^block)(id))
{
    __block id kept = nil;
    __weak id weak = *location;
    void (^inner)(void) = ^{
        kept = weak;
        block(kept);
    };
    @try {
        inner();
        if ([kept isKindOfClass:[Every class]] && [kept respondsToSelector:@selector(atomicCopy)])
            return [kept self];
    } @catch (NSException *exception) {
        return [exception copy];
    } @catch (id other) {
        @throw;
    }
    __weak id moved = weak;
    id strong = moved;
    return strong ? strong : [[Every alloc] init];
}

double angles(double angle)
{
    char large[32768];
    counter += snprintf(large, sizeof large, "%g", angle);
    return sin(angle) * cos(angle) + large[counter & 7];
}

unsigned __int128 quotient(unsigned __int128 a, unsigned __int128 b)
{
    return a / b + a % b + (unsigned __int128)angles((double)a);
}

_Complex double product(_Complex double a, _Complex double b)
{
    return a * b;
}

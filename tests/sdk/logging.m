/* Unified logging from Objective-C: objects, and the log as an object. */
#import <Foundation/Foundation.h>
#import <os/log.h>

@interface Logger : NSObject
@property (nonatomic, strong) os_log_t log;
@end

@implementation Logger
@end

__attribute__((constructor)) static void start(void)
{
    @autoreleasepool {
        Logger *logger = [[Logger alloc] init];
        logger.log = os_log_create("example.sdk", "objects");
        os_log(logger.log, "%{public}@ on %@", NSProcessInfo.processInfo.processName,
               @[ @1, @YES, @2.5, @'c' ]);
        os_log_error(OS_LOG_DEFAULT, "%@", logger);
    }
}

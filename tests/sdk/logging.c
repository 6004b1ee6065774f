/* Unified logging from C, with privacy annotations and a log of one's own. */
#include <os/log.h>
#include <stdlib.h>
#include <string.h>

static os_log_t own_log;

__attribute__((constructor)) static void start(void)
{
    own_log = os_log_create("example.sdk", "test");
    const char *name = getprogname();
    os_log(OS_LOG_DEFAULT, "started");
    os_log(own_log, "%{public}s has %zu characters, %d%%", name, strlen(name), 100);
    os_log_info(own_log, "%{private}s", name);
    os_log_debug(own_log, "at %p", (const void *)name);
    os_log_error(own_log, "%.3f of %lld", 0.5, 1LL << 40);
    os_log_fault(own_log, "%{public}.*s", 3, name);
    if (os_log_type_enabled(own_log, OS_LOG_TYPE_DEBUG))
        os_log_with_type(own_log, OS_LOG_TYPE_DEFAULT, "debug is on");
}

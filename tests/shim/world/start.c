/* Starts the shim when it is preloaded: see wrap.m. */
void world_start_shim(void);

__attribute__((constructor)) static void start(void)
{
    world_start_shim();
}

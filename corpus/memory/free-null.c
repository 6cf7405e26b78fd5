// Freeing a null pointer does nothing, so a cleanup function may run twice.
// expect: default=safe leak=safe
// final-states: 1

#include <assert.h>
#include <stdlib.h>

static char *log_buffer;

static void close_log(void)
{
    free(log_buffer);
    log_buffer = NULL;
}

int main(void)
{
    close_log();
    log_buffer = malloc(16);
    close_log();
    close_log();
    assert(log_buffer == NULL);
    return 0;
}

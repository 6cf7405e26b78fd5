// Two threads allocate, the last one that needs the buffer frees it: nothing is left at the end.
// expect: default=safe leak=safe cleanup=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *buffer;
static atomic_int users = 2;

static void *use(void *unused)
{
    (void)unused;
    if (atomic_fetch_sub(&users, 1) == 1)
        free(buffer);
    return NULL;
}

int main(void)
{
    buffer = malloc(8);
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    return 0;
}

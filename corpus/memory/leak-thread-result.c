// A thread returns a heap block through pthread_join, and main frees it.
// expect: default=safe leak=safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *compute(void *unused)
{
    (void)unused;
    int *result = malloc(sizeof *result);
    *result = 42;
    return result;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, compute, NULL);
    pthread_join(thread, &result);
    assert(*(int *)result == 42);
    free(result);
    return 0;
}

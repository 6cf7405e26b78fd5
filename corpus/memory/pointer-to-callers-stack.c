// A thread writes its result into a local variable of main, which waits for it.
// expect: default=safe

#include <assert.h>
#include <pthread.h>

static void *fill(void *arg)
{
    int *target = arg;
    *target = 5;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int result = 0;
    pthread_create(&thread, NULL, fill, &result);
    pthread_join(thread, NULL);
    assert(result == 5);
    return 0;
}

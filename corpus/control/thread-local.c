// A thread-local variable: every thread starts from its initial value and changes its own copy.
// expect: default=safe overflow=safe

#include <assert.h>
#include <pthread.h>

static _Thread_local int depth = 10;

static void *worker(void *unused)
{
    (void)unused;
    assert(depth == 10);
    depth++;
    depth++;
    assert(depth == 12);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    depth = 5;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(depth == 5);
    return 0;
}

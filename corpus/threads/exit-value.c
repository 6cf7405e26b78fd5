// pthread_exit ends a thread from within a call and hands over its result.
// expect: default=safe

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void finish(int code)
{
    if (code > 0)
        pthread_exit((void *)(intptr_t)code);
}

static void *worker(void *arg)
{
    finish((int)(intptr_t)arg);
    return (void *)99;
}

int main(void)
{
    pthread_t threads[2];
    void *results[2];
    pthread_create(&threads[0], NULL, worker, (void *)0);
    pthread_create(&threads[1], NULL, worker, (void *)7);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], &results[i]);
    assert((intptr_t)results[0] == 99);
    assert((intptr_t)results[1] == 7);
    return 0;
}

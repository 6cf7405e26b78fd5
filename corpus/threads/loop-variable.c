// Each thread gets its number by value.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int started[3];

static void *worker(void *arg)
{
    intptr_t id = (intptr_t)arg;
    started[id]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(started[0] == 1 && started[1] == 1);
    return 0;
}

// Three threads write one slot each of an array: no race, one outcome.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int slots[3];

static void *fill(void *arg)
{
    intptr_t index = (intptr_t)arg;
    slots[index] = (int)index * 10;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(slots[0] == 0 && slots[1] == 10 && slots[2] == 20);
    return 0;
}

// Three threads write their number to one atomic variable: the last one wins, without a race.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int winner;

static void *claim(void *arg)
{
    winner = (int)(intptr_t)arg;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, claim, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(winner >= 1 && winner <= 3);
    return 0;
}

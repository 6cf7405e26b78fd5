// Three threads compare-and-swap their number into a variable: the first one wins, and only one.
// expect: default=safe
// final-states: 3

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int winner;
static int won[3];

static void *claim(void *arg)
{
    int number = (int)(intptr_t)arg;
    int nobody = 0;
    if (atomic_compare_exchange_strong(&winner, &nobody, number))
        won[number - 1] = 1;
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, claim, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(won[0] + won[1] + won[2] == 1);
    assert(won[winner - 1] == 1);
    return 0;
}

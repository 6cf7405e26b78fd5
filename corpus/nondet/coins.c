// Each of two threads tosses a coin of its own: four outcomes.
// expect: default=safe
// final-states: 4

#include <pthread.h>
#include <stdbool.h>

#include "threadproof.h"

static bool coins[2];

static void *toss(void *arg)
{
    bool *coin = arg;
    *coin = tp_nondet_bool();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, toss, &coins[0]);
    pthread_create(&b, NULL, toss, &coins[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

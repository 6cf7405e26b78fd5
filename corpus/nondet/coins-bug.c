// Two coins may show the same side.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
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
    assert(coins[0] != coins[1]); //~ assert
    return 0;
}

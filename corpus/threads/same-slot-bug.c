// Three threads write their number to one plain variable: the last one wins.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 3

#include <pthread.h>
#include <stdint.h>

static int winner;

static void *claim(void *arg)
{
    winner = (int)(intptr_t)arg; //~ race
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, claim, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

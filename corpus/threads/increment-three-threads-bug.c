// Three threads increment a plain counter once each: 1, 2 or 3.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 3

#include <pthread.h>

static int counter;

static void *increment(void *unused)
{
    (void)unused;
    counter++; //~ race
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

// Two threads increment a plain counter once each: the sum is 1 or 2.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 2

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
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

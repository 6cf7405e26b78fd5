// Two threads increment a plain counter twice each: 2, 3 or 4.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 3

#include <pthread.h>

static int counter;

static void *increment(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
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

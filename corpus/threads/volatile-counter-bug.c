// Volatile makes nothing atomic: two threads that increment a volatile counter race and may lose one.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 2

#include <pthread.h>

static volatile int counter;

static void *increment(void *unused)
{
    (void)unused;
    counter = counter + 1; //~ race
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

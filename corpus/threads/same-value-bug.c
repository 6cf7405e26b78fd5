// Two threads write the same value to a plain flag: a race all the same, though with one outcome.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 1

#include <pthread.h>

static int initialised;

static void *initialise(void *unused)
{
    (void)unused;
    initialised = 1; //~ race
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, initialise, NULL);
    pthread_create(&b, NULL, initialise, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

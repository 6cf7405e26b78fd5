// One thread adds 1, the other doubles, without a lock: a lost update gives 2 as well.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 3

#include <pthread.h>

static int number = 1;

static void *add(void *unused)
{
    (void)unused;
    number += 1; //~ race
    return NULL;
}

static void *twice(void *unused)
{
    (void)unused;
    number *= 2; //~ race
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, twice, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

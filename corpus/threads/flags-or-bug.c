// Three threads set a bit each by a separate load and store: a bit may be lost, any nonempty mask remains.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 7

#include <pthread.h>
#include <stdint.h>

static unsigned mask;

static void *set(void *arg)
{
    mask |= 1u << (uintptr_t)arg; //~ race
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, set, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

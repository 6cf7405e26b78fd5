// The array of thread handles is one too small for the largest count.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>

#include "threadproof.h"

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    int count = tp_nondet_int();
    tp_assume(count >= 1 && count <= 3);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, idle, NULL); //~ memory
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

// A thread publishes the address of its local variable and ends; main reads through it.
// expect: memory=unsafe assert=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) published;

static void *publish(void *unused)
{
    (void)unused;
    int value = 5;
    atomic_store(&published, &value);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    int *pointer = atomic_load(&published);
    if (pointer != NULL)
        seen = *pointer; //~ memory
    pthread_join(thread, NULL);
    return seen;
}

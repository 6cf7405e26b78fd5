// The consumer looks at the flag but does not insist on it.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static atomic_int data;

static void *consumer(void *unused)
{
    (void)unused;
    (void)atomic_load(&ready);
    assert(atomic_load(&data) == 7); //~ assert
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, consumer, NULL);
    atomic_store(&data, 7);
    atomic_store(&ready, 1);
    pthread_join(thread, NULL);
    return 0;
}

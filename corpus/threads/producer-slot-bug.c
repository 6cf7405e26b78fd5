// The producer does not wait until the slot is empty and overwrites an item.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int full;
static int slot;
static int received;

static void *produce(void *unused)
{
    (void)unused;
    for (int item = 1; item <= 2; item++) {
        slot = item; //~ race
        atomic_store(&full, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    while (!atomic_load(&full))
        ;
    received = slot; //~ race
    pthread_join(producer, NULL);
    assert(received == 1); //~ assert
    return 0;
}

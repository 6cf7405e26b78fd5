// A producer hands three items to a consumer through one slot that is full or empty.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int full;
static int slot;
static int received;

static void *produce(void *unused)
{
    (void)unused;
    for (int item = 1; item <= 3; item++) {
        while (atomic_load(&full))
            ;
        slot = item;
        atomic_store(&full, 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (int i = 0; i < 3; i++) {
        while (!atomic_load(&full))
            ;
        received = 10 * received + slot;
        atomic_store(&full, 0);
    }
    pthread_join(producer, NULL);
    assert(received == 123);
    return 0;
}

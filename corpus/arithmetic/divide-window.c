// A new divisor is stored in one step: the division sees the old one or the new one.
// expect: default=safe overflow=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;
static int share;

static void *configure(void *unused)
{
    (void)unused;
    atomic_store(&divisor, 5);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, configure, NULL);
    share = 100 / atomic_load(&divisor);
    pthread_join(thread, NULL);
    assert(share == 50 || share == 20);
    return 0;
}

/* A consumer goes to sleep if there is no work, a producer wakes it if it sleeps: each
   writes one variable and reads the other. If both read what was before, the consumer
   sleeps for ever although there is work. With -DFIX each makes its store arrive first. */
#include <assert.h>
#include <pthread.h>

enum { IDLING, WORK, VARIABLES };
#include "weak.h"

static int sleeps, woken;

static void *consumer(void *arg) {
    store(0, IDLING, 1);
#ifdef FIX
    fence(0);
#endif
    if (!load(0, WORK))
        sleeps = 1;
    return arg;
}

static void *producer(void *arg) {
    store(1, WORK, 1);
#ifdef FIX
    fence(1);
#endif
    if (load(1, IDLING))
        woken = 1;
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, consumer, 0);
    pthread_create(&second, 0, producer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(!sleeps || woken);
    return 0;
}

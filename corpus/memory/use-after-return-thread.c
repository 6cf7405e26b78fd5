// A parameter is handed to another thread, which reads it twice and then says that it is done.
// expect: default=safe
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) slot;
static atomic_int done;

static void hand_over(int value) {
    slot = &value;
    while (!done) {
    }
}

static void *producer(void *arg) {
    (void)arg;
    hand_over(5);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    int *taken;
    while (!(taken = atomic_exchange(&slot, NULL))) {
    }
    int sum = *taken;
    sum += *taken;
    done = 1;
    pthread_join(t, NULL);
    return sum;
}

// A thread's store goes on with its own release sequence, not with the one that another headed in between.
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static atomic_int stage;

static void *adder(void *arg) {
    data = 1; //~ race
    atomic_fetch_add_explicit(&stage, 10, memory_order_release);
    return arg;
}

static void *acquirer(void *arg) {
    if (atomic_load_explicit(&stage, memory_order_acquire) == 2)
        data = 2; //~ race
    return arg;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, adder, NULL);
    pthread_create(&t[1], NULL, acquirer, NULL);
    atomic_store_explicit(&stage, 1, memory_order_release);
    while (atomic_load_explicit(&stage, memory_order_relaxed) != 11) {
    }
    atomic_store_explicit(&stage, 2, memory_order_relaxed);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}

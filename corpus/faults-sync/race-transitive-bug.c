// The chain of hand-overs has a relaxed link: the data is right under interleaving, but it races.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (the relay passed it on, or came too early)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *source(void *arg) {
    (void)arg;
    data = 42; //~ race
    atomic_store_explicit(&first, 1, memory_order_release);
    return NULL;
}

static void *relay(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&first, memory_order_relaxed)) // should be acquire
        atomic_store_explicit(&second, 1, memory_order_release);
    return NULL;
}

static void *sink(void *arg) {
    (void)arg;
    if (atomic_load_explicit(&second, memory_order_acquire))
        assert(data == 42); //~ race
    return NULL;
}

int main(void) {
    void *(*const role[])(void *) = {source, relay, sink};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, role[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}

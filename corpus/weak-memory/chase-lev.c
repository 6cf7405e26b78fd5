// A deque whose owner takes without a fence: it must make its claim known before it looks at the thieves'.
// expect: assert=safe
// tso: assert=unsafe fences=1
// pso: assert=unsafe fences=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int items[2] = {1, 2};
atomic_int top, bottom = 2;
atomic_int taken[3];

static void got(int item) {
    int before = atomic_fetch_add(&taken[item], 1);
    assert(before == 0); //~ assert
}

static void take(void) {
    int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
    atomic_store_explicit(&bottom, b, memory_order_release);
    int t = atomic_load_explicit(&top, memory_order_acquire);
    if (t < b)
        got(items[b]);
}

static void steal(void) {
    int t = atomic_load_explicit(&top, memory_order_acquire);
    int b = atomic_load_explicit(&bottom, memory_order_acquire);
    if (t < b) {
        int item = items[t];
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            got(item);
    }
}

void *thief(void *unused) {
    steal();
    steal();
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, thief, 0);
    take();
    pthread_join(t, 0);
    return 0;
}

// Each thread waits while the other one's flag is up, and takes its own down only when it has
// seen the other one's up. Under sc the thread that raises its flag last sees that of the
// other one; under tso and pso neither may, and both wait for a sign that never comes.
// expect: assert=safe livelock=safe
// tso: assert=safe livelock=unsafe
// pso: assert=safe livelock=unsafe
#include <pthread.h>
#include <stdatomic.h>

atomic_int up0, up1, seen;

void *thread0(void *unused) {
    atomic_store_explicit(&up0, 1, memory_order_relaxed);
    if (atomic_load_explicit(&up1, memory_order_relaxed))
        atomic_store(&seen, 1);
    return 0;
}

void *thread1(void *unused) {
    atomic_store_explicit(&up1, 1, memory_order_relaxed);
    if (atomic_load_explicit(&up0, memory_order_relaxed))
        atomic_store(&seen, 1);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, thread0, 0);
    pthread_create(&threads[1], 0, thread1, 0);
    while (!atomic_load(&seen)) { //~ livelock
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}

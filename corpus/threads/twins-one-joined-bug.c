// Main joins one of two threads that are alike, and it matters which of them has counted first.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int arrived, done;
void *work(void *unused) {
    if (atomic_fetch_add(&arrived, 1) == 1)
        done = 1;
    return unused;
}
int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], 0, work, 0);
    pthread_join(threads[0], 0);
    assert(!done); //~ assert
}

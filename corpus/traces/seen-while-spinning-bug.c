// Somebody sees the lock of a thread that spins: that it went round once more makes a difference.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready, seen;

static void *spin(void *unused) {
    while (!ready) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    assert(!seen); //~ assert
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    if (pthread_mutex_trylock(&mutex) == 0)
        pthread_mutex_unlock(&mutex);
    else
        seen = 1;
    ready = 1;
    pthread_join(thread, 0);
    return 0;
}

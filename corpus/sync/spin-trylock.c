// A spin trylock reports EBUSY only while the other thread is inside.
// expect: default=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_spinlock_t lock;
static int counter;
static atomic_int busy;

static void *worker(void *arg) {
    (void)arg;
    int rc = pthread_spin_trylock(&lock);
    if (rc == 0) {
        counter++;
        pthread_spin_unlock(&lock);
    } else {
        assert(rc == EBUSY);
        busy++;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter >= 1 && counter + busy == 2);
    return 0;
}

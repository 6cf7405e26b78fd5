// A trylock that fails means that the other thread holds the lock, and its holder counts for both.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (both got the lock in turn, or one of them found it busy)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static atomic_int busy;

static void *worker(void *arg) {
    (void)arg;
    int rc = pthread_mutex_trylock(&lock);
    if (rc == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(rc == EBUSY);
        busy++;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter >= 1 && counter + busy == 2);
    return 0;
}

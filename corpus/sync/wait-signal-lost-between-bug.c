// A signal comes between two waits of a loop, the first of which ended without one, and is lost: the second waits
// for ever.
// expect: deadlock=unsafe assert=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int go;
static int waits;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    waits = 1;
    while (!go)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    int must_signal = waits;
    pthread_mutex_unlock(&lock);
    if (!must_signal)
        return 0;
    go = 1;
    pthread_cond_signal(&changed);
    pthread_join(t, NULL);
    return 0;
}

// A lock that forgets its owner when it is left: it does not matter that identifiers are given out again
// expect: default=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_t owner;
static int owned;
static int locked;

static void enter(void) {
    if (owned && pthread_equal(owner, pthread_self()))
        return;
    pthread_mutex_lock(&inner);
    owner = pthread_self();
    owned = 1;
    locked = 1;
}

static void leave(void) {
    owned = 0;
    locked = 0;
    pthread_mutex_unlock(&inner);
}

static void *work(void *unused) {
    enter();
    assert(locked);
    leave();
    return unused;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        pthread_t worker;
        pthread_create(&worker, 0, work, 0);
        pthread_join(worker, 0);
    }
    return 0;
}

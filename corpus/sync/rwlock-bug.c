// A writer that takes the lock for reading changes the data under a reader's eyes.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock); // should be wrlock
    low = 1;                      //~ race
    high = 1;                     //~ race
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int l = low;
    int h = high;
    pthread_rwlock_unlock(&lock);
    assert(l == h); //~ assert
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    return 0;
}

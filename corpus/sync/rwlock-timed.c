// Timed acquisition of a reader-writer lock: it succeeds or times out.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the second writer came through or gave up)
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    value += 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int rc = pthread_rwlock_timedwrlock(&lock, &deadline);
    if (rc == 0) {
        value += 2;
        pthread_rwlock_unlock(&lock);
    }
    pthread_join(t, NULL);
    assert(rc == 0 ? value == 3 : rc == ETIMEDOUT && value == 1);
    return 0;
}

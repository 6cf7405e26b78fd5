// A timed lock either gets the mutex or reports a timeout; it never waits for ever.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the patient thread counted to 1; the impatient one added to it or gave up)
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *patient(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *impatient(void *arg) {
    (void)arg;
    int rc = pthread_mutex_timedlock(&lock, &deadline);
    if (rc == 0) {
        counter++;
        pthread_mutex_unlock(&lock);
    } else {
        assert(rc == ETIMEDOUT);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, patient, NULL);
    pthread_create(&b, NULL, impatient, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 1 || counter == 2);
    return 0;
}

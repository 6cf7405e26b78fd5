// A condition variable hands a value over; the wait stands in a loop.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static bool ready;
static int value;

static void *sender(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    value = 42;
    ready = true;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&arrived, &lock);
    assert(value == 42);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&r, NULL, receiver, NULL);
    pthread_create(&s, NULL, sender, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}

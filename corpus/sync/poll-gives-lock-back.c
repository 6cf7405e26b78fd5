// A thread polls with the mutex held and gives it back for a moment in each round, in which the other one does its
// part.
// expect: assert=safe race=safe deadlock=safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool asked, answered;

static void *ask(void *unused) {
    pthread_mutex_lock(&lock);
    asked = true;
    while (!answered) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    assert(asked);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, ask, NULL);
    pthread_mutex_lock(&lock);
    if (asked)
        answered = true;
    pthread_mutex_unlock(&lock);
    return 0;
}

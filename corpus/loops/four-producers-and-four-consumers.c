// Four producers and four consumers share a buffer of 1000 places under a lock, each as often as an
// input says: there is never more in it than fits, nor less than nothing.
// expect: assert=safe deadlock=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#define EACH 4
#define SIZE 1000

static int filled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *produce(void *arg) {
    int times = __VERIFIER_nondet_int();
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        if (filled < SIZE)
            filled++;
        assert(filled <= SIZE);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consume(void *arg) {
    int times = __VERIFIER_nondet_int();
    for (int i = 0; i < times; i++) {
        pthread_mutex_lock(&lock);
        if (filled > 0)
            filled--;
        assert(filled >= 0);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t producers[EACH], consumers[EACH];
    for (int i = 0; i < EACH; i++) {
        pthread_create(&producers[i], 0, produce, 0);
        pthread_create(&consumers[i], 0, consume, 0);
    }
    for (int i = 0; i < EACH; i++) {
        pthread_join(producers[i], 0);
        pthread_join(consumers[i], 0);
    }
    return 0;
}

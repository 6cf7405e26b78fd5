// Two producers and two consumers share a buffer; a consumer takes what another may have taken
// since it looked.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

#define EACH 2
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
        int seen = filled;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (seen > 0)
            filled--;
        assert(filled >= 0); //~ assert
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

// Two producers and two consumers share a buffer whose size is an input: it is never fuller than full.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size, count;

static void *producer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (count < size) {
            count++;
            assert(count <= size);
        }
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consumer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (count > 0)
            count--;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t threads[4];
    size = __VERIFIER_nondet_int();
    __VERIFIER_assume(size > 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, producer, 0);
        pthread_create(&threads[i + 2], 0, consumer, 0);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    assert(count >= 0);
    return 0;
}

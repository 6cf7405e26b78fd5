// A writer waits for readers to leave, and readers for the writer: what a reader reads twice is the same.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int writing, readers, value;

static void *writer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!writing && readers == 0);
        writing = 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        value++;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        writing = 0;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static int read_value(void) {
    __VERIFIER_atomic_begin();
    int seen = value;
    __VERIFIER_atomic_end();
    return seen;
}

static void *reader(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!writing);
        readers++;
        __VERIFIER_atomic_end();
        int before = read_value();
        assert(read_value() == before);
        __VERIFIER_atomic_begin();
        readers--;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t threads[3];
    value = __VERIFIER_nondet_int();
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_create(&threads[2], 0, reader, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}

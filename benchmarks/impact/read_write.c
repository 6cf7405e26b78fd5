/* Readers and writers: two of each, as often as inputs say. A reader reads the same twice.
   With -DBAD a writer does not look for readers. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static int writing, readers, value;

static void *writer(void *arg) {
    while (__VERIFIER_nondet_int()) {
        int next = __VERIFIER_nondet_int();
        __VERIFIER_atomic_begin();
#ifdef BAD
        __VERIFIER_assume(!writing);
#else
        __VERIFIER_assume(!writing && readers == 0);
#endif
        writing = 1;
        __VERIFIER_atomic_end();
        value = next;
        __VERIFIER_atomic_begin();
        writing = 0;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *reader(void *arg) {
    while (__VERIFIER_nondet_int()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(!writing);
        readers++;
        __VERIFIER_atomic_end();
        int first = value;
        int second = value;
        assert(first == second);
        __VERIFIER_atomic_begin();
        readers--;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_create(&threads[2], 0, writer, 0);
    pthread_create(&threads[3], 0, reader, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], 0);
    return 0;
}

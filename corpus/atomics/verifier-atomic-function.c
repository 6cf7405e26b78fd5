// A function whose name begins with __VERIFIER_atomic_ runs in one step: a lock made of it excludes.
// expect: assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

static int locked;
static int counter;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(locked == 0);
    locked = 1;
}

static void __VERIFIER_atomic_release(void) {
    locked = 0;
}

static void *worker(void *arg) {
    (void)arg;
    __VERIFIER_atomic_acquire();
    counter++;
    __VERIFIER_atomic_release();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2);
    return 0;
}

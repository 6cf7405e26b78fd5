// The same lock with a function that is not atomic by its name: both threads get in.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int condition);

static int locked;
static int counter;

static void acquire(void) {
    __VERIFIER_assume(locked == 0); //~ race
    locked = 1;                     //~ race
}

static void release(void) {
    locked = 0; //~ race
}

static void *worker(void *arg) {
    (void)arg;
    acquire();
    counter++; //~ race
    release();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(counter == 2); //~ assert
    return 0;
}

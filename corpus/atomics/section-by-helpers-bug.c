// Sections begin and end in functions of their own, and what lies between belongs to them.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int first, second;

static void enter(void) {
    __VERIFIER_atomic_begin();
}

static void leave(void) {
    __VERIFIER_atomic_end();
}

static void *worker(void *arg) {
    enter();
    first = 1;
    leave();
    enter();
    second = 1;
    leave();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    enter();
    int seen = second;
    leave();
    assert(seen == 1); //~ assert
    enter();
    seen += first;
    leave();
    assert(seen == 2);
    pthread_join(thread, 0);
    return 0;
}

// A section that is entered only if an assumption holds does not keep another thread from failing before it.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static int taken = 1;

static void *worker(void *arg) {
    assert(taken == 0); //~ assert
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(taken == 0);
    taken = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}

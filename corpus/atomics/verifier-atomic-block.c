// What stands between __VERIFIER_atomic_begin and _end happens in one step.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static atomic_int counter;

static void *worker(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    int n = counter;
    counter = n + 1;
    __VERIFIER_atomic_end();
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

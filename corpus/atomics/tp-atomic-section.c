// tp_atomic_begin and tp_atomic_end make a transfer of two steps indivisible for an auditor.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include "threadproof.h"

static atomic_int left = 5, right = 5;

static void *clerk(void *arg) {
    (void)arg;
    tp_atomic_begin();
    left -= 2;
    right += 2;
    tp_atomic_end();
    return NULL;
}

static void *auditor(void *arg) {
    (void)arg;
    tp_atomic_begin();
    int total = left + right;
    tp_atomic_end();
    tp_assert(total == 10);
    return NULL;
}

int main(void) {
    pthread_t c, a;
    pthread_create(&c, NULL, clerk, NULL);
    pthread_create(&a, NULL, auditor, NULL);
    pthread_join(c, NULL);
    pthread_join(a, NULL);
    return 0;
}

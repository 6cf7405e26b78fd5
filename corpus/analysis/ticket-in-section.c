// A counter in atomic sections hands out each index once.
// expect: race=safe
// analysis: proves
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

int next;
int data[4];

static void *run(void *arg) {
    __VERIFIER_atomic_begin();
    if (next < 4) {
        int i = next++;
        __VERIFIER_atomic_end();
        data[i]++;
    } else {
        __VERIFIER_atomic_end();
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
    }
    pthread_exit(NULL);
}

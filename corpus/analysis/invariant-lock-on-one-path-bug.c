// A thread that has taken a second mutex on one path gives the first one back earlier.
// expect: assert=unsafe
// options: --nondet-range=0..1
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    int both = __VERIFIER_nondet_int();
    pthread_mutex_lock(&a);
    if (both) {
        pthread_mutex_lock(&b);
        x = 1;
    }
    pthread_mutex_unlock(&a);
    if (both)
        pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&b);
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&b);
    return 0;
}

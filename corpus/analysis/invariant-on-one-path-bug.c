// On the path on which no thread was created, nobody has told what a variable is.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    if (__VERIFIER_nondet_int())
        pthread_create(&t, NULL, run, NULL);
    else
        x = 1;
    pthread_mutex_lock(&m);
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&m);
    return 0;
}

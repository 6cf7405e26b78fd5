// A byte of a variable is written on its own.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    ((char *)&x)[1] = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&m);
    return 0;
}

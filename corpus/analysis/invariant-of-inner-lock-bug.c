// An inner mutex is given back in between, when the counter is not 0 yet.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int x;

static void add(int by) {
    pthread_mutex_lock(&inner);
    x += by;
    pthread_mutex_unlock(&inner);
}

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    add(1);
    add(-1);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&inner);
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&inner);
    return 0;
}

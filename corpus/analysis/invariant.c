// Whenever a mutex is free a counter is 0, however many threads there are.
// expect: assert=safe
// analysis: proves assert
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
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_mutex_lock(&m);
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

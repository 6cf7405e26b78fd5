// A thread that reads what another lock protects too does not say what holds when that is free.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER, a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void add(int *to, int by) {
    pthread_mutex_lock(&all);
    *to += by;
    pthread_mutex_unlock(&all);
}

static void change(pthread_mutex_t *own, int *of) {
    pthread_mutex_lock(own);
    add(of, 1);
    add(of, -1);
    assert(*of == 0);
    pthread_mutex_unlock(own);
}

static void *first(void *arg) {
    change(&a, &x);
    return NULL;
}

static void *second(void *arg) {
    change(&b, &y);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, first, NULL);
    pthread_create(&u, NULL, second, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

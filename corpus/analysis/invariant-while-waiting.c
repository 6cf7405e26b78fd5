// What a mutex protects lies between bounds, also where threads wait on a condition.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int items;

static void *produce(void *arg) {
    pthread_mutex_lock(&m);
    while (items >= 2)
        pthread_cond_wait(&c, &m);
    items++;
    assert(items >= 1 && items <= 2);
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, produce, NULL);
    pthread_create(&u, NULL, produce, NULL);
    pthread_mutex_lock(&m);
    while (items == 0)
        pthread_cond_wait(&c, &m);
    items--;
    assert(items >= 0);
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return 0;
}

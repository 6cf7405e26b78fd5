// Threads that have ended have given the mutex back.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, busy;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    busy = 1;
    x = x < 10 ? x + 1 : 10;
    busy = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, run, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(busy == 0);
    assert(x >= 0 && x <= 10);
    return 0;
}

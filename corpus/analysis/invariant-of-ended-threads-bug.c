// A thread may end while it holds the mutex, and what it protects is half done.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    busy = 1;
    if (arg)
        pthread_exit(NULL);
    busy = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, &busy);
    pthread_join(t, NULL);
    assert(busy == 0); //~ assert
    return 0;
}

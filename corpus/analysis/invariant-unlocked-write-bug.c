// One write is not made under the mutex that all others hold.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x = 0;
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    x = 1;
    return 0;
}

// While a thread waits on a condition, another one changes what the mutex protects.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_create(&t, NULL, run, NULL);
    x = 0;
    pthread_cond_wait(&c, &m);
    assert(x == 0); //~ assert
    pthread_mutex_unlock(&m);
    return 0;
}

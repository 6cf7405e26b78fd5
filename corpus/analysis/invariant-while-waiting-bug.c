// A thread that waits on a condition lets others see what it has done so far.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    assert(x == 0); //~ assert
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_wait(&c, &m);
    x = 0;
    pthread_mutex_unlock(&m);
    return 0;
}

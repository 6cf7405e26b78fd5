// A thread waits for a signal while another spins until it is done; the signal cannot be missed.
// expect: default=safe
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int filled;
atomic_int done;

static void *take(void *argument) {
    pthread_mutex_lock(&mutex);
    while (!filled) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    done = 1;
    return 0;
}

static void *watch(void *argument) {
    while (!done) continue;
    return 0;
}

int main(void) {
    pthread_t taker, watcher;
    pthread_create(&taker, 0, take, 0);
    pthread_create(&watcher, 0, watch, 0);
    pthread_mutex_lock(&mutex);
    filled = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    pthread_join(taker, 0);
    pthread_join(watcher, 0);
    return 0;
}

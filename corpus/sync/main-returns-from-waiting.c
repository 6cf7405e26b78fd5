// main returns while a thread waits for a signal that never comes: the process ends, and that is no deadlock.
// expect: default=safe
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t work = PTHREAD_COND_INITIALIZER;
int jobs;
atomic_int ready;

static void *serve(void *argument) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    while (!jobs) pthread_cond_wait(&work, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_t server;
    pthread_create(&server, 0, serve, 0);
    while (!ready) continue;
    return 0;
}

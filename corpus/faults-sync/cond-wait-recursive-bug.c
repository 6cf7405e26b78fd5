// A wait on a condition gives back one level of a recursive mutex: one that was locked twice stays held.
// expect: deadlock=unsafe assert=safe race=safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t mutex;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

static void *prepare(void *argument) {
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &recursive);
    pthread_t thread;
    pthread_create(&thread, 0, prepare, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    assert(ready);
    return 0;
}

// Two waits that may end by themselves, in any order with the signal and with the end of the process.
// expect: default=safe
// executions: 233
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *wait(void *unused) {
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread, other;
    pthread_create(&thread, 0, wait, 0);
    pthread_create(&other, 0, wait, 0);
    pthread_cond_signal(&condition);
    return 0;
}

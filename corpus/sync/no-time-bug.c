// A lock that another thread holds is asked for until a time that is not there.
// expect: memory=unsafe
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *holder(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    const struct timespec *volatile until = NULL;
    pthread_create(&thread, NULL, holder, NULL);
    if (pthread_mutex_timedlock(&lock, until) == 0) pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

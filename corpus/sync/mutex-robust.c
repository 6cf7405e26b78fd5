// A robust mutex is told when its owner ended; that is not supported.
// expect: assert=unknown
#include <pthread.h>

pthread_mutex_t mutex;

static void *leave(void *argument) {
    pthread_mutex_lock(&mutex);
    return 0;
}

int main(void) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex);
    return 0;
}

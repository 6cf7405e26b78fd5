// Whether a robust mutex is busy or was left behind depends on whether its owner has ended.
// expect: assert=unsafe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock;
static sem_t taken;

static void *owner(void *arg) {
    pthread_mutex_lock(&lock);
    sem_post(&taken);
    return arg;
}

int main(void) {
    pthread_mutexattr_t robust;
    pthread_t thread;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&lock, &robust);
    sem_init(&taken, 0, 0);
    pthread_create(&thread, 0, owner, 0);
    sem_wait(&taken);
    assert(pthread_mutex_trylock(&lock) != EBUSY); //~ assert
    return 0;
}

// Waits for a semaphore and for a lock that time out end after their deadlines.
// expect: default=safe
// inputs: too many

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    (void)unused;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    if (pthread_mutex_timedlock(&lock, &until) == ETIMEDOUT)
        assert(time(NULL) >= until.tv_sec);
    else
        pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_t semaphore;
    struct timespec until;
    sem_init(&semaphore, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    assert(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);
    assert(time(NULL) >= until.tv_sec);
    sem_destroy(&semaphore);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

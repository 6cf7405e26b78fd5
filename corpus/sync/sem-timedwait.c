// sem_timedwait gets the permit or fails with ETIMEDOUT; nobody is stuck.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the permit was taken or is left)
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static sem_t permits;

static void *poster(void *arg) {
    (void)arg;
    sem_post(&permits);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&permits, 0, 0);
    pthread_create(&t, NULL, poster, NULL);
    int expected = 0;
    if (sem_timedwait(&permits, &deadline) != 0) {
        assert(errno == ETIMEDOUT);
        expected = 1;
    }
    pthread_join(t, NULL);
    int left;
    sem_getvalue(&permits, &left);
    assert(left == expected);
    return 0;
}

// sem_trywait takes a permit or fails with EAGAIN; one permit serves one of two threads.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int taken, refused;

static void *worker(void *arg) {
    (void)arg;
    if (sem_trywait(&permits) == 0) {
        taken++;
    } else {
        assert(errno == EAGAIN);
        refused++;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    sem_init(&permits, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(taken == 1 && refused == 1);
    return 0;
}

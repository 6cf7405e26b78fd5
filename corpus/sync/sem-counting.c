// A semaphore of two lets at most two of three threads in.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t permits;
static atomic_int inside;

static void *guest(void *arg) {
    (void)arg;
    sem_wait(&permits);
    int now = atomic_fetch_add(&inside, 1) + 1;
    assert(now <= 2);
    inside--;
    sem_post(&permits);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    sem_init(&permits, 0, 2);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, guest, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}

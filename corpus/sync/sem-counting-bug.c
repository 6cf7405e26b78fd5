// A semaphore of two does not give mutual exclusion: two guests are inside at once.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
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
    assert(now == 1); //~ assert
    inside--;
    sem_post(&permits);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    sem_init(&permits, 0, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, guest, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

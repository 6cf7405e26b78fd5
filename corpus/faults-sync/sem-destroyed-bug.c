// main waits for one of two workers and destroys the semaphore before the second has posted.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *arg) {
    (void)arg;
    sem_post(&done); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t[2];
    sem_init(&done, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    sem_wait(&done);
    sem_destroy(&done);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

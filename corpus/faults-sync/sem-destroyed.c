// main waits for both workers and joins them before it destroys the semaphore.
// expect: default=safe overflow=safe leak=safe
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *worker(void *arg) {
    (void)arg;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    sem_init(&done, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        sem_wait(&done);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    sem_destroy(&done);
    return 0;
}

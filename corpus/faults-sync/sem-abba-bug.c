// Two binary semaphores taken in opposite order deadlock as two mutexes would.
// expect: deadlock=unsafe assert=safe race=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <pthread.h>
#include <semaphore.h>

static sem_t a, b;

static void *a_then_b(void *arg) {
    (void)arg;
    sem_wait(&a);
    sem_wait(&b); //~ deadlock
    sem_post(&b);
    sem_post(&a);
    return NULL;
}

static void *b_then_a(void *arg) {
    (void)arg;
    sem_wait(&b);
    sem_wait(&a); //~ deadlock
    sem_post(&a);
    sem_post(&b);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    sem_init(&a, 0, 1);
    sem_init(&b, 0, 1);
    pthread_create(&t, NULL, a_then_b, NULL);
    pthread_create(&u, NULL, b_then_a, NULL);
    pthread_join(t, NULL); //~ deadlock
    pthread_join(u, NULL);
    return 0;
}

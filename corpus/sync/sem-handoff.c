// Two semaphores make two threads alternate on plain data.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *even(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sem_wait(&ping);
        assert(ball == 2 * i);
        ball++;
        sem_post(&pong);
    }
    return NULL;
}

static void *odd(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sem_wait(&pong);
        assert(ball == 2 * i + 1);
        ball++;
        sem_post(&ping);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&a, NULL, even, NULL);
    pthread_create(&b, NULL, odd, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ball == 4);
    return 0;
}

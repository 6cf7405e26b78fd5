// Both semaphores start at one: the threads do not alternate but collide.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t ping, pong;
static int ball;

static void *even(void *arg) {
    (void)arg;
    sem_wait(&ping);
    ball++; //~ race
    sem_post(&pong);
    return NULL;
}

static void *odd(void *arg) {
    (void)arg;
    sem_wait(&pong);
    ball++; //~ race
    sem_post(&ping);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 1); // should be 0
    pthread_create(&a, NULL, even, NULL);
    pthread_create(&b, NULL, odd, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ball == 2); //~ assert
    return 0;
}

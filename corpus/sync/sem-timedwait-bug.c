// A timeout of sem_timedwait goes unnoticed, and the data is read before it is there.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static const struct timespec deadline = {.tv_sec = 1};
static sem_t ready;
static int data;

static void *producer(void *arg) {
    (void)arg;
    data = 1; //~ race
    sem_post(&ready);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, producer, NULL);
    sem_timedwait(&ready, &deadline);
    int got = data;
    assert(got == 1); //~ assert
    pthread_join(t, NULL);
    return 0;
}

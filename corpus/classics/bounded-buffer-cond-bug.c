// A one-slot buffer whose consumers test with `if`: woken too early, one takes from an empty slot.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (executions that get through are those of the correct version)
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static bool full;
static int slot;
static int got[2];

static void *producer(void *arg) {
    (void)arg;
    for (int item = 1; item <= 2; item++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&not_full, &lock);
        slot = item;
        full = true;
        pthread_cond_signal(&not_empty);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *consumer(void *arg) {
    int me = (int)(intptr_t)arg;
    pthread_mutex_lock(&lock);
    if (!full) // must be `while`
        pthread_cond_wait(&not_empty, &lock);
    assert(full); //~ assert
    got[me] = slot;
    full = false;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t p, c[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&c[i], NULL, consumer, (void *)i);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(p, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(c[i], NULL);
    assert(got[0] + got[1] == 3);
    return 0;
}

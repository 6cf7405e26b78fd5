// A bounded buffer that takes the lock before waiting for an item: a consumer can lock everyone out.
// expect: assert=safe race=safe deadlock=unsafe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t empty_slots, full_slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot;

static void *producer(void *arg) {
    (void)arg;
    sem_wait(&empty_slots);
    pthread_mutex_lock(&lock); //~ deadlock
    slot = 7;
    pthread_mutex_unlock(&lock);
    sem_post(&full_slots);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    sem_wait(&full_slots); //~ deadlock
    assert(slot == 7);
    pthread_mutex_unlock(&lock);
    sem_post(&empty_slots);
    return NULL;
}

int main(void) {
    pthread_t p, c;
    sem_init(&empty_slots, 0, 1);
    sem_init(&full_slots, 0, 0);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(p, NULL); //~ deadlock
    pthread_join(c, NULL);
    return 0;
}

// A buffer of one slot shared by two producers and a consumer, with counting semaphores.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the slot keeps the item taken last, 1 or 2; the semaphores are back at 1 and 0, the sum is 3)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static sem_t empty_slots, full_slots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot;
static int sum;

static void *producer(void *arg) {
    int item = (int)(intptr_t)arg;
    sem_wait(&empty_slots);
    pthread_mutex_lock(&lock);
    slot = item;
    pthread_mutex_unlock(&lock);
    sem_post(&full_slots);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    for (int i = 0; i < 2; i++) {
        sem_wait(&full_slots);
        pthread_mutex_lock(&lock);
        sum += slot;
        pthread_mutex_unlock(&lock);
        sem_post(&empty_slots);
    }
    return NULL;
}

int main(void) {
    pthread_t p[2], c;
    sem_init(&empty_slots, 0, 1);
    sem_init(&full_slots, 0, 0);
    pthread_create(&c, NULL, consumer, NULL);
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&p[i], NULL, producer, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(p[i], NULL);
    pthread_join(c, NULL);
    assert(sum == 3);
    return 0;
}

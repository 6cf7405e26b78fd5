// The sleeping barber with one chair: a customer is served or goes away, and nobody is left waiting.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (both customers were served, or one of them was turned away)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { CUSTOMERS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t customer_ready, haircut_done;
static int waiting, served, turned_away;

static void *barber(void *arg) {
    (void)arg;
    for (;;) {
        sem_wait(&customer_ready);
        pthread_mutex_lock(&lock);
        if (waiting == 0) { // woken to close the shop
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        waiting--;
        served++;
        pthread_mutex_unlock(&lock);
        sem_post(&haircut_done);
    }
}

static void *customer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (waiting == 1) {
        turned_away++;
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    waiting++;
    pthread_mutex_unlock(&lock);
    sem_post(&customer_ready);
    sem_wait(&haircut_done);
    return NULL;
}

int main(void) {
    pthread_t b, c[CUSTOMERS];
    sem_init(&customer_ready, 0, 0);
    sem_init(&haircut_done, 0, 0);
    pthread_create(&b, NULL, barber, NULL);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_create(&c[i], NULL, customer, NULL);
    for (int i = 0; i < CUSTOMERS; i++)
        pthread_join(c[i], NULL);
    sem_post(&customer_ready);
    pthread_join(b, NULL);
    assert(served + turned_away == CUSTOMERS);
    return 0;
}

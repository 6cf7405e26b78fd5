// THREADS threads wait at a gate; three others take ROUNDS locked increments each.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *waits(void *arg) {
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return 0;
}

void *counts(void *arg) {
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t thread, counters[3];
    pthread_mutex_lock(&gate);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread, 0, waits, 0);
    for (int i = 0; i < 3; i++)
        pthread_create(&counters[i], 0, counts, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(counters[i], 0);
    assert(counter == 3 * ROUNDS);
    exit(0);
}

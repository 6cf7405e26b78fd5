// A barber sleeps until a customer comes, and the customer waits until the hair is cut.
// ltl: safe none G F "cutting == 1"
// ltl: safe none G F "cutting == 0"
// ltl: unsafe weak F G "cutting == 0"
// ltl: unsafe none G "cutting == 0"
// ltl: safe strong G ("cutting == 1" -> F "cutting == 0")
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

sem_t customers, ready;
atomic_int cutting;

void *barber(void *arg) {
    for (;;) {
        sem_wait(&customers);
        atomic_store(&cutting, 1);
        atomic_store(&cutting, 0);
        sem_post(&ready);
    }
}

int main(void) {
    pthread_t thread;
    sem_init(&customers, 0, 0);
    sem_init(&ready, 0, 0);
    pthread_create(&thread, 0, barber, 0);
    for (;;) {
        sem_post(&customers);
        sem_wait(&ready);
    }
}

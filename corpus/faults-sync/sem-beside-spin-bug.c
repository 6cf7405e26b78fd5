// main polls for what a thread does only after a post that nobody makes.
// expect: deadlock=unsafe assert=safe race=safe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

sem_t tickets;
atomic_int polls, served;

static void *serve(void *argument) {
    sem_wait(&tickets); //~ deadlock
    served = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    sem_init(&tickets, 0, 0);
    pthread_create(&thread, 0, serve, 0);
    while (!served) polls ^= 1;
    pthread_join(thread, 0);
    return 0;
}

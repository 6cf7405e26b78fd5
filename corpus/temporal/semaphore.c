// A buffer with one place between a producer and a consumer, with semaphores: neither can go on for ever alone.
// ap: filled=items == 1
// ltl: safe weak G (filled -> F !filled)
// ltl: safe weak G F filled
// ltl: safe none G F filled
// ltl: safe none G "items == 0 || items == 1"
#include <pthread.h>
#include <semaphore.h>

sem_t empty, full;
int items;

void *consumer(void *arg) {
    for (;;) {
        sem_wait(&full);
        items = 0;
        sem_post(&empty);
    }
}

int main(void) {
    pthread_t thread;
    sem_init(&empty, 0, 1);
    sem_init(&full, 0, 0);
    pthread_create(&thread, 0, consumer, 0);
    for (;;) {
        sem_wait(&empty);
        items = 1;
        sem_post(&full);
    }
}

// The last of three stores wins, and each of them can be the last.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int winner;

static void *worker(void *arg) {
    winner = (int)(intptr_t)arg;
    return NULL;
}

int main(void) {
    pthread_t t[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}

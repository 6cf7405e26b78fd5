// Two threads update the same field of a shared structure.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (an increment may get lost)
#include <pthread.h>

static struct {
    int hits;
    int misses;
} statistics;

static void *worker(void *arg) {
    (void)arg;
    statistics.hits++; //~ race
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

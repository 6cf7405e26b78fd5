// Each thread of a loop is given the index of an element of its own.
// expect: race=safe
// analysis: proves
#include <pthread.h>

int results[3];

static void *run(void *arg) {
    int i = (int)(long)arg;
    results[i] += i;
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        results[i] = 1;
        pthread_create(&t, NULL, run, (void *)(long)i);
    }
    pthread_exit(NULL);
}

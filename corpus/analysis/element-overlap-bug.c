// An access reaches beyond the element that the thread was given.
// expect: race=unsafe
#include <pthread.h>

int results[4];

static void *run(void *arg) {
    *(long *)arg = 1; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, &results[i]);
    }
    pthread_exit(NULL);
}

// Threads with different indices choose the same element.
// expect: race=unsafe
#include <pthread.h>

int results[2];

static void *run(void *arg) {
    int i = (int)(long)arg;
    results[i & 1] = i; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, (void *)(long)i);
    }
    pthread_exit(NULL);
}

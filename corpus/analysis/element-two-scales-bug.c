// Threads find their elements by multiplying with different numbers.
// expect: race=unsafe
#include <pthread.h>

int results[8];

static void *run(void *arg) {
    long i = (long)arg;
    results[i] = 1;                                     //~ race
    if (i == 2) *(int *)((char *)results + 2 * i) = 2; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, (void *)(long)i);
    }
    pthread_exit(NULL);
}

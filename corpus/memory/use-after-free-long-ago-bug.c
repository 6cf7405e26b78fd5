// A dangling pointer is used after its object's place was used again many times.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int turns;

static void *worker(void *arg) {
    (void)arg;
    free(malloc(1));
    malloc(1);
    int *stale = malloc(sizeof *stale);
    free(stale);
    turns++;
    for (int i = 0; i < 40; i++)
        free(malloc(sizeof(int)));
    *stale = 1; //~ memory
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    turns++;
    pthread_join(t, NULL);
    return 0;
}

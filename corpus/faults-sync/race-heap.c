// Each thread works on a heap object of its own.
// expect: default=safe leak=safe overflow=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *arg) {
    int *result = arg;
    *result += 1;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int *result[2];
    for (int i = 0; i < 2; i++) {
        result[i] = malloc(sizeof *result[i]);
        *result[i] = i;
        pthread_create(&t[i], NULL, worker, result[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert(*result[i] == i + 1);
        free(result[i]);
    }
    return 0;
}

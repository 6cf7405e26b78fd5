// A _Thread_local counter exists once per thread: no races, no mixing.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter = 10;

static void *worker(void *arg) {
    int *result = arg;
    counter++;
    counter++;
    *result = counter;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    int result[2] = {0, 0};
    counter = 100;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, &result[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(result[0] == 12 && result[1] == 12);
    assert(counter == 100);
    return 0;
}

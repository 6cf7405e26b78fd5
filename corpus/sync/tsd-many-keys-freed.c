// The destructors of all of a thread's keys are called, however many there are.
// expect: default=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { KEYS = 70 };

static pthread_key_t keys[KEYS];
static int freed;

static void release(void *value) {
    free(value);
    freed++;
}

static void *worker(void *unused) {
    for (int i = 0; i < KEYS; i++)
        pthread_setspecific(keys[i], malloc(1));
    return unused;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < KEYS; i++)
        pthread_key_create(&keys[i], release);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(freed == KEYS);
    return 0;
}

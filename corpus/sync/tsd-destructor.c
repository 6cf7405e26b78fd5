// The destructor of a thread-specific key frees each thread's buffer before the join returns.
// expect: default=safe leak=safe overflow=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int freed;

static void release(void *buffer) {
    free(buffer);
    freed++;
}

static void *worker(void *arg) {
    (void)arg;
    int *buffer = malloc(sizeof *buffer);
    *buffer = 1;
    pthread_setspecific(key, buffer);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_key_create(&key, release);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(freed == 2);
    return 0;
}

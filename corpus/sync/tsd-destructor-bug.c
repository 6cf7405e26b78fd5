// A thread-specific key without a destructor: the buffer is lost when its thread ends.
// expect: leak=unsafe default=safe overflow=safe
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg) {
    (void)arg;
    int *buffer = malloc(sizeof *buffer);
    *buffer = 1;
    pthread_setspecific(key, buffer);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_key_create(&key, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}

// A mutex initialised with default attributes protects a counter and is destroyed at the end.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[3];
    pthread_mutex_init(&lock, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    int rc = pthread_mutex_destroy(&lock);
    assert(rc == 0);
    assert(counter == 3);
    return 0;
}

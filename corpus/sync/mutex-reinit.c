// A destroyed mutex may be initialised again and used.
// expect: default=safe overflow=safe leak=safe
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
    for (int round = 0; round < 2; round++) {
        pthread_t t;
        pthread_mutex_init(&lock, NULL);
        pthread_create(&t, NULL, worker, NULL);
        pthread_mutex_lock(&lock);
        counter++;
        pthread_mutex_unlock(&lock);
        pthread_join(t, NULL);
        pthread_mutex_destroy(&lock);
    }
    assert(counter == 4);
    return 0;
}

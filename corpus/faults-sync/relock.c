// The inner function expects the caller to hold the mutex and does not lock it again.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size;

static int get_size_locked(void) {
    return size;
}

static void *append(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    size = get_size_locked() + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, append, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(size == 2);
    return 0;
}

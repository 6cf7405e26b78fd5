// A reader-writer lock: readers see both halves of the writer's update or none.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low, high;

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    low = 1;
    high = 1;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    int l = low;
    int h = high;
    pthread_rwlock_unlock(&lock);
    assert(l == h);
    return NULL;
}

int main(void) {
    pthread_t w, r[2];
    pthread_create(&w, NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&r[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(r[i], NULL);
    pthread_join(w, NULL);
    return 0;
}

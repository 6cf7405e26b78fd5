// A chain of joins without a cycle: main joins a thread that joins another.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static pthread_t last_thread;
static int ended;

static void *last(void *arg) {
    (void)arg;
    ended++;
    return NULL;
}

static void *middle(void *arg) {
    (void)arg;
    pthread_join(last_thread, NULL);
    ended++;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&last_thread, NULL, last, NULL);
    pthread_create(&t, NULL, middle, NULL);
    pthread_join(t, NULL);
    assert(ended == 2);
    return 0;
}

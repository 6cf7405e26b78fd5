// A function that locks calls another one that locks the same normal mutex.
// expect: lock-misuse=unsafe assert=safe race=safe deadlock=unsafe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size;

static int get_size(void) {
    pthread_mutex_lock(&lock); //~ lock-misuse deadlock
    int n = size;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *append(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    size = get_size() + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, append, NULL);
    pthread_join(t, NULL);
    return 0;
}

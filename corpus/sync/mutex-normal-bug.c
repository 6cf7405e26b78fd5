// One of two threads forgets the mutex around a counter.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *careful(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    counter++; //~ race
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *careless(void *arg) {
    (void)arg;
    counter++; //~ race
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, careful, NULL);
    pthread_create(&b, NULL, careless, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ assert
    return 0;
}

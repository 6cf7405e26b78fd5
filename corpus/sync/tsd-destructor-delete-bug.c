// The destructor of a key is not called for a thread that ends after the key was deleted.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int set, called;

static void destructor(void *value) {
    (void)value;
    called = 1;
}

static void *worker(void *arg) {
    pthread_setspecific(key, &called);
    set = 1;
    return arg;
}

int main(void) {
    pthread_key_create(&key, destructor);
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    while (!set) {
    }
    pthread_key_delete(key);
    pthread_join(t, NULL);
    assert(called); //~ assert
    return 0;
}

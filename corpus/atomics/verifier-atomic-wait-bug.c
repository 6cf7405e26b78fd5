// A wait on a condition inside an atomic section lets the others run: one of them fails.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *setter(void *arg) {
    pthread_mutex_lock(&lock);
    assert(ready); //~ assert
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t;
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}

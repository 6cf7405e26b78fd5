// A variable is written under a lock that others hold as readers at the same time.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void *run(void *arg) {
    pthread_rwlock_rdlock(&l);
    x = 1;
    x = 0;
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_rwlock_rdlock(&l);
    assert(x == 0); //~ assert
    pthread_rwlock_unlock(&l);
    return 0;
}

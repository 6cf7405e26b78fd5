// A lock that is tried protects a variable where the attempt succeeds.
// expect: race=safe assert=safe
// analysis: proves
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x++;
        x--;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    if (pthread_mutex_trylock(&m))
        return 0;
    assert(x == 0);
    pthread_mutex_unlock(&m);
    return 0;
}

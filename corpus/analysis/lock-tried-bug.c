// A variable is accessed where the attempt to take a lock has failed, too.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void *run(void *arg) {
    if (pthread_mutex_trylock(&m) == 0) {
        x++; //~ race
        pthread_mutex_unlock(&m);
    } else {
        x--; //~ race
    }
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

// A lock whose bytes are overwritten is held by nobody any more.
// expect: race=unsafe
#include <pthread.h>
#include <string.h>

pthread_mutex_t m;
int x;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    memset(&m, 0, sizeof m);
    pthread_create(&t, NULL, run, NULL);
    x++; //~ race
    pthread_join(t, NULL);
    return 0;
}

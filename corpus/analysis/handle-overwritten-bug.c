// The handle that is joined is that of another thread.
// expect: race=unsafe
#include <pthread.h>

int x;

static void *run(void *arg) {
    x++; //~ race
    return NULL;
}

static void *idle(void *arg) { return NULL; }

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&t, NULL, idle, NULL);
    pthread_join(t, NULL);
    x++; //~ race
    return 0;
}

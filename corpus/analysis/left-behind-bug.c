// A joined thread leaves behind one that it created.
// expect: race=unsafe
#include <pthread.h>

int x;
pthread_t t, u;

static void *second(void *arg) {
    x++; //~ race
    return NULL;
}

static void *first(void *arg) {
    pthread_create(&u, NULL, second, NULL);
    return NULL;
}

int main(void) {
    pthread_create(&t, NULL, first, NULL);
    pthread_join(t, NULL);
    x++; //~ race
    return 0;
}

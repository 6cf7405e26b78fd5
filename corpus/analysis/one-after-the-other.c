// A loop joins each thread before it creates the next.
// expect: race=safe
// analysis: proves
#include <pthread.h>

int x;

static void *run(void *arg) {
    x++;
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
        pthread_join(t, NULL);
        x++;
    }
    return 0;
}

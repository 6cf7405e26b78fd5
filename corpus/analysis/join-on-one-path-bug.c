// A loop joins the thread before it creates the next, but not the first one.
// expect: race=unsafe
#include <pthread.h>

int x;

static void *run(void *arg) {
    x++; //~ race
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, run, NULL);
        if (i > 0) pthread_join(t, NULL);
    }
    return 0;
}

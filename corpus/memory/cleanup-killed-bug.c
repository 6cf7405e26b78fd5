// The process may end while another thread has not yet freed what only that thread can reach.
// expect: cleanup=unsafe leak=safe memory=safe
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg) {
    (void)arg;
    int *own = malloc(sizeof *own);
    *own = 1;
    free(own);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    return 0;
}

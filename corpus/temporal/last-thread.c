// The process ends with its last thread, which is a step of its own.
// ltl: safe weak F ("x == 1" && !terminated)
// ltl: safe weak F (terminated && "x == 1")
// ltl: safe none !terminated W "x == 1"
#include <pthread.h>

int x;

void *last(void *arg) {
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, last, 0);
    pthread_detach(thread);
    pthread_exit(0);
}

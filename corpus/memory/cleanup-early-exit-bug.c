// The program may end while a thread holds memory that it would have freed a moment later.
// expect: cleanup=unsafe leak=safe default=safe
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    int *scratch = malloc(sizeof *scratch); //~ cleanup
    *scratch = 1;
    free(scratch);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_detach(thread);
    return 0;
}

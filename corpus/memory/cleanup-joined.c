// The program ends after a thread has freed what it used, because it waits for the thread.
// expect: cleanup=safe leak=safe default=safe
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
    int *scratch = malloc(sizeof *scratch);
    *scratch = 1;
    free(scratch);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}

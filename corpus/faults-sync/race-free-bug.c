// main frees a buffer before it has joined the thread that reads it.
// expect: race=unsafe memory=unsafe assert=safe deadlock=safe lock-misuse=safe leak=safe
// expect: arithmetic=safe overflow=safe
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg) {
    const int *buffer = arg;
    int value = *buffer; //~ memory
    (void)value;
    return NULL;
}

int main(void) {
    int *buffer = malloc(sizeof *buffer);
    *buffer = 1;
    pthread_t t;
    pthread_create(&t, NULL, reader, buffer);
    free(buffer); //~ race
    pthread_join(t, NULL);
    return 0;
}

// main joins the reader before it frees the buffer.
// expect: default=safe leak=safe overflow=safe
#include <pthread.h>
#include <stdlib.h>

static void *reader(void *arg) {
    const int *buffer = arg;
    int value = *buffer;
    (void)value;
    return NULL;
}

int main(void) {
    int *buffer = malloc(sizeof *buffer);
    *buffer = 1;
    pthread_t t;
    pthread_create(&t, NULL, reader, buffer);
    pthread_join(t, NULL);
    free(buffer);
    return 0;
}

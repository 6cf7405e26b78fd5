// Under the lock the owner clears the pointer it frees, and the reader checks it: it sees the value or nothing.
// expect: default=safe leak=safe
// final-states: 2

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *buffer;
static int seen;

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (buffer != NULL)
        seen = buffer[0];
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    buffer = malloc(2 * sizeof *buffer);
    buffer[0] = 5;
    pthread_create(&thread, NULL, reader, NULL);
    pthread_mutex_lock(&lock);
    free(buffer);
    buffer = NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

// All accesses hold the lock, but the reader forgets that the buffer may be gone: no race, still a use after free.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *buffer;
static int seen;

static void *reader(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    seen = buffer[0]; //~ memory
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
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}

// Main frees the settings while the worker may still be about to read them.
// expect: memory=unsafe assert=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *settings;

static void *worker(void *unused)
{
    (void)unused;
    int limit = *settings; //~ memory
    assert(limit == 8);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    settings = malloc(sizeof *settings);
    *settings = 8;
    pthread_create(&thread, NULL, worker, NULL);
    free(settings);
    pthread_join(thread, NULL);
    return 0;
}

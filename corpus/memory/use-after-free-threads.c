// Main joins the worker before it frees the settings the worker reads.
// expect: default=safe leak=safe

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *settings;

static void *worker(void *unused)
{
    (void)unused;
    int limit = *settings;
    assert(limit == 8);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    settings = malloc(sizeof *settings);
    *settings = 8;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    free(settings);
    return 0;
}

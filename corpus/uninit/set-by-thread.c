// Another thread sets the heap word under a lock and says so; main reads it only then.
// expect: default=safe leak=safe

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int *answer;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    *answer = 42;
    ready = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    answer = malloc(sizeof *answer);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    if (ready)
        assert(*answer == 42);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(*answer == 42);
    free(answer);
    return 0;
}

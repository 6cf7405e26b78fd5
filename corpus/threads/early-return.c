// Main returns without waiting: the process ends wherever the thread happens to be.
// expect: default=safe
// final-states: 3

#include <pthread.h>

static int progress;

static void *worker(void *unused)
{
    (void)unused;
    progress = 1;
    progress = 2;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}

// Main looks at the result without waiting for the thread.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>

static int progress;

static void *worker(void *unused)
{
    (void)unused;
    progress = 1; //~ race
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    assert(progress == 1); //~ assert
    return 0;
}

// Main reads the heap word under the lock, but perhaps before the other thread has set it.
// expect: uninit=unsafe assert=safe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *answer;
static int late;

static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    *answer = 42;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    answer = malloc(sizeof *answer);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    if (*answer != 42) //~ uninit
        late = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    free(answer);
    return 0;
}

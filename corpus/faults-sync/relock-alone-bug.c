// A handler that is called with the lock held takes it again: its thread waits for ever, while the others go on.
// expect: deadlock=unsafe lock-misuse=unsafe default=unsafe assert=safe race=safe memory=safe
// assume: nothing
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs, errors;

static void count_error(void) {
    pthread_mutex_lock(&lock); //~ deadlock lock-misuse
    errors++;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    pthread_mutex_lock(&lock);
    jobs++;
    if (jobs == 2) count_error();
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(errors == 0);
    return 0;
}

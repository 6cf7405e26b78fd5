// A function that holds a spin lock calls another one that locks it again, which spins for ever.
// expect: deadlock=unsafe lock-misuse=unsafe default=unsafe assert=safe race=safe memory=safe
// assume: nothing
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int jobs, errors;

static void count_error(void) {
    pthread_spin_lock(&lock); //~ deadlock lock-misuse
    errors++;
    pthread_spin_unlock(&lock);
}

static void *worker(void *arg) {
    pthread_spin_lock(&lock);
    jobs++;
    if (jobs == 2) count_error();
    pthread_spin_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(errors == 0);
    return 0;
}

// A function calls another one that takes the same spin lock after it has unlocked it.
// expect: default=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int jobs, errors;

static void count_error(void) {
    pthread_spin_lock(&lock);
    errors++;
    pthread_spin_unlock(&lock);
}

static void *worker(void *arg) {
    pthread_spin_lock(&lock);
    jobs++;
    int wrong = jobs == 2;
    pthread_spin_unlock(&lock);
    if (wrong) count_error();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    assert(errors == 1);
    return 0;
}

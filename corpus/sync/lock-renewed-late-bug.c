// A lock is made anew while a thread holds it, so that two threads are in the critical section.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void section(void) {
    pthread_mutex_lock(&lock);
    inside++;
    assert(inside == 1); //~ assert
    inside--;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    section();
    return arg;
}

static void *renewer(void *arg) {
    section();
    pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    section();
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, renewer, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

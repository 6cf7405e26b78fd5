// A wait that ends without a signal gives the mutex to the other thread meanwhile, and the loop around it ends.
// expect: assert=unsafe race=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    stage = 1;
    while (stage != 2)
        pthread_cond_wait(&changed, &lock);
    stage = 3;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    int first = stage;
    if (first == 1)
        stage = 2;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(first != 1 || stage != 3); //~ assert
    pthread_mutex_unlock(&lock);
    return 0;
}

// A thread that ends within an initialiser takes it back: the next thread that asks runs it
// from its beginning.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, done;

static void initialise(void) {
    begun++;
    if (begun == 1) pthread_exit(NULL);
    done++;
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once(&once, initialise);
    assert(begun == 2 && done == 1);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    assert(done == 1);
    return 0;
}

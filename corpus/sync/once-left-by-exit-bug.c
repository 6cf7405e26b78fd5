// The only thread that asks for the initialiser ends within it, so that nothing is initialised.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int done;

static void leave(void) { pthread_exit(NULL); }

static void initialise(void) {
    pthread_once(&inner, leave);
    done = 1;
}

static void *worker(void *arg) {
    (void)arg;
    pthread_once(&outer, initialise);
    return NULL;
}

static void count(void) { done += 2; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_once(&inner, count);
    pthread_once(&outer, count);
    assert(done == 1);
    return 0;
}

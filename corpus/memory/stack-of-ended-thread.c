// A thread with an identifier of its own has a stack of its own, on which nothing was before
// expect: default=safe
#include <assert.h>
#include <pthread.h>

static pthread_t last;
static int *mark;

static void *leave(void *unused) {
    int local = 1;
    last = pthread_self();
    mark = &local;
    return unused;
}

static void *find(void *unused) {
    int local = 2;
    if (!pthread_equal(last, pthread_self()))
        assert(mark != &local);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, find, 0);
    pthread_join(thread, 0);
    return 0;
}

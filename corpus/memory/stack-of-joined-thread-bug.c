// A local of a new thread may be where one of a thread that was joined has been: the mark is stale
// expect: assert=unsafe memory=safe race=safe
#include <assert.h>
#include <pthread.h>

static int *owner;

static void *leave(void *unused) {
    int token = 1;
    owner = &token;
    return unused;
}

static void *find(void *unused) {
    int token = 2;
    assert(owner != &token); //~ assert
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

// A thread-local variable of a new thread may be where that of a thread was that was joined: the mark is stale.
// expect: assert=unsafe memory=safe race=safe

#include <assert.h>
#include <pthread.h>

static __thread int own;
static int *marked;

static void *leave(void *unused)
{
    marked = &own;
    return unused;
}

static void *find(void *unused)
{
    assert(marked != &own); //~ assert
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, find, 0);
    pthread_join(thread, 0);
    return 0;
}

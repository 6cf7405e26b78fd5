// Thread-local variables of threads that run at the same time, and two of one thread, are never one place.
// expect: default=safe

#include <assert.h>
#include <pthread.h>

static __thread int own, other;
static int *marked, *ended;

static void *leave(void *unused)
{
    ended = &other;
    return unused;
}

static void *find(void *unused)
{
    assert(marked != &own);
    assert(ended != &own);
    return unused;
}

int main(void)
{
    pthread_t thread;
    marked = &own;
    pthread_create(&thread, 0, leave, 0);
    pthread_join(thread, 0);
    pthread_create(&thread, 0, find, 0);
    pthread_join(thread, 0);
    assert(ended != &other);
    return 0;
}

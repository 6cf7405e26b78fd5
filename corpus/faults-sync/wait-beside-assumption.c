// A thread waits at a barrier that the other never reaches, but only where an assumption has ended the execution.
// expect: deadlock=safe assert=safe
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static pthread_barrier_t barrier;
static int closed;

static void *skips(void *arg)
{
    (void)arg;
    int seen = closed;
    __VERIFIER_assume(seen != 0);
    return 0;
}

static void *waits(void *arg)
{
    (void)arg;
    pthread_barrier_wait(&barrier);
    int tries = __VERIFIER_nondet_int();
    __VERIFIER_assume(tries >= 0 && tries < 2);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    pthread_create(&first, 0, skips, 0);
    pthread_create(&second, 0, waits, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

// A case that the compiler was promised never to come comes in one order of two threads.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int phase;

static void *worker(void *arg)
{
    (void)arg;
    phase = 2;
    return 0;
}

static int name(int number)
{
    switch (number) {
    case 0: return 'a';
    case 1: return 'b';
    default: __builtin_unreachable(); //~ memory
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    int first = name(phase);
    pthread_join(t, 0);
    return first == 'b';
}

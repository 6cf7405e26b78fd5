// A thread returns the address of main's variable, into which it wrote its result.
// expect: default=safe overflow=safe

#include <assert.h>
#include <pthread.h>

static void *compute(void *arg)
{
    int *number = arg;
    *number *= 2;
    return number;
}

int main(void)
{
    pthread_t thread;
    int number = 21;
    void *answer;
    pthread_create(&thread, NULL, compute, &number);
    pthread_join(thread, &answer);
    assert(answer == &number);
    assert(*(int *)answer == 42);
    return 0;
}

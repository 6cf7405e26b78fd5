// Compound assignments to atomic floating-point numbers, booleans and narrow integers are one step each.
// expect: default=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic float sum;
static _Atomic _Bool seen;
static _Atomic unsigned char small = 250;

static void *worker(void *arg)
{
    sum += 1.5f;
    seen |= 1;
    small += 10;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    sum += 2.5f;
    int result = (small += 255);
    assert(result == 249 || result == 3);
    pthread_join(thread, NULL);
    assert(sum == 4.0f && seen == 1 && small == 3);
    return 0;
}

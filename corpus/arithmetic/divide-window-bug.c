// A new divisor is stored in two steps, and between them it is zero.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;

static void *configure(void *unused)
{
    (void)unused;
    atomic_store(&divisor, 0);
    atomic_store(&divisor, 5);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, configure, NULL);
    int share = 100 / atomic_load(&divisor); //~ arithmetic
    pthread_join(thread, NULL);
    return share;
}

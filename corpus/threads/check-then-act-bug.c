// Both threads find room for one more and both take it.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int guests;

static void *enter(void *unused)
{
    (void)unused;
    if (atomic_load(&guests) < 1)
        atomic_fetch_add(&guests, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(guests == 1); //~ assert
    return 0;
}

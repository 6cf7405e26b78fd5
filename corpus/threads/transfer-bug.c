// The audit sees the money in between the accounts, although every access is atomic.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int checking = 10, savings = 10;

static void *save(void *unused)
{
    (void)unused;
    atomic_fetch_sub(&checking, 4);
    atomic_fetch_add(&savings, 4);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, save, NULL);
    assert(checking + savings == 20); //~ assert
    pthread_join(thread, NULL);
    return 0;
}

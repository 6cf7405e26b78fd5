// A lock that waits by futex and forgets that somebody may wait: the last one is never woken.
// expect: deadlock=unsafe assert=safe

#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int word;
static int counter;

static void lock(void)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(&word, &expected, 1)) {
        expected = 1;
        if (atomic_compare_exchange_strong(&word, &expected, 2))
            expected = 2;
        if (expected == 2)
            syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0); //~ deadlock
        expected = 0;
    }
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *worker(void *unused)
{
    (void)unused;
    lock();
    counter++;
    unlock();
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    worker(NULL);
    pthread_join(first, NULL); //~ deadlock
    pthread_join(second, NULL); //~ deadlock
    assert(counter == 3);
    return 0;
}

// A lock that waits by futex: the word is 0 if free, 1 if held, 2 if held and somebody may wait.
// expect: default=safe
// final-states: 1

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
    if (atomic_compare_exchange_strong(&word, &expected, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
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
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2);
    return 0;
}

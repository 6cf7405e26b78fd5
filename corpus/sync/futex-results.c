// What futex returns: a word that has changed, a time that is over, threads that were woken.
// expect: default=safe

#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic int word;

static long futex(int operation, int value, const struct timespec *timeout)
{
    return syscall(SYS_futex, &word, operation, value, timeout, NULL, 0);
}

static void *waker(void *unused)
{
    (void)unused;
    word = 1;
    long woken = futex(FUTEX_WAKE, 5, NULL);
    assert(woken == 0 || woken == 1);
    return NULL;
}

int main(void)
{
    struct timespec soon = {0, 1000};
    pthread_t thread;
    assert(futex(FUTEX_WAIT, 7, NULL) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1) == 0);
    pthread_create(&thread, NULL, waker, NULL);
    if (futex(FUTEX_WAIT, 0, &soon) == -1)
        assert(errno == ETIMEDOUT || errno == EAGAIN);
    pthread_join(thread, NULL);
    return 0;
}

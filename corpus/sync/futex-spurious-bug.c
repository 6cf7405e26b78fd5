// A wait by futex may end by itself, so that the word must be looked at again.
// expect: assert=unsafe race=safe deadlock=safe memory=safe

#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int ready;

static void *setter(void *unused)
{
    (void)unused;
    ready = 1;
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    if (!ready)
        syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(ready); //~ assert
    pthread_join(thread, NULL);
    return 0;
}

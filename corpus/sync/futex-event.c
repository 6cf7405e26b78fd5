// A thread that waits by futex for an event, which is set before it is woken; a relaxed load only tells that it has come, the fence after it orders.
// expect: race=safe assert=safe deadlock=safe

#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic int event;
static int message;

static void *sender(void *unused)
{
    (void)unused;
    message = 7;
    atomic_store_explicit(&event, 1, memory_order_release);
    syscall(SYS_futex, &event, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    while (!atomic_load_explicit(&event, memory_order_relaxed))
        syscall(SYS_futex, &event, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    atomic_thread_fence(memory_order_acquire);
    assert(message == 7);
    pthread_join(thread, NULL);
    return 0;
}

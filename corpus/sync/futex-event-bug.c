// A thread that waits by futex for an event; where it finds the event set without having been woken, nothing orders it after the sender.
// expect: race=unsafe

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
    message = 7; //~ race
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
    assert(message == 7); //~ race
    pthread_join(thread, NULL);
    return 0;
}

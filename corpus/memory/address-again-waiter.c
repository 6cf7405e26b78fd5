// Waiters on a stack that come and go at the same address, and one that takes a waiter out of the list only if it is still there.
// expect: assert=safe deadlock=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct waiter {
    atomic_int gone;
};

static _Atomic(struct waiter *) list;

static void wait_once(void)
{
    struct waiter self;
    atomic_init(&self.gone, 0);
    struct waiter *expected = NULL;
    if (atomic_compare_exchange_strong(&list, &expected, &self)) {
        expected = &self;
        if (!atomic_compare_exchange_strong(&list, &expected, NULL))
            while (!self.gone)
                ;
    }
}

static void *worker(void *unused)
{
    (void)unused;
    wait_once();
    wait_once();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    struct waiter *first = list;
    if (first && list == first && atomic_compare_exchange_strong(&list, &first, NULL))
        first->gone = 1;
    pthread_join(thread, NULL);
    return 0;
}

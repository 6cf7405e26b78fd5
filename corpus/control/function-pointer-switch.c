// A handler is replaced in one store: the caller runs the old one or the new one.
// expect: default=safe
// final-states: 2

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void (*handler)(void);

static int ran;

static void old_handler(void) { ran = 1; }
static void new_handler(void) { ran = 2; }

static _Atomic(handler) current = old_handler;

static void *replace(void *unused)
{
    (void)unused;
    atomic_store(&current, new_handler);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, replace, NULL);
    handler handler = atomic_load(&current);
    handler();
    pthread_join(thread, NULL);
    return 0;
}

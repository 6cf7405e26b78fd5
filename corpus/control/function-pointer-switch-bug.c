// A handler is replaced by storing null first: the caller may call through null in between.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef void (*handler)(void);

static void old_handler(void) {}
static void new_handler(void) {}

static _Atomic(handler) current = old_handler;

static void *replace(void *unused)
{
    (void)unused;
    atomic_store(&current, NULL);
    atomic_store(&current, new_handler);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, replace, NULL);
    handler handler = atomic_load(&current);
    handler(); //~ memory
    pthread_join(thread, NULL);
    return 0;
}

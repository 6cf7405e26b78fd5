// C11 <threads.h>: a mutex, a condition variable, and an int result from thrd_join.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static bool ready;

static int waiter(void *arg) {
    int *cell = arg;
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    int value = *cell;
    mtx_unlock(&lock);
    return value;
}

int main(void) {
    thrd_t t;
    int cell = 0;
    int result = 0;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&t, waiter, &cell);

    mtx_lock(&lock);
    cell = 9;
    ready = true;
    cnd_signal(&changed);
    mtx_unlock(&lock);

    thrd_join(t, &result);
    assert(result == 9);
    return 0;
}

// A function that returns nothing is started as a C11 thread, by a cast of its address.
// expect: default=safe
#include <assert.h>
#include <stddef.h>
#include <threads.h>

int seen;

void look(void *place) { seen = *(int *)place; }

int main(void) {
    thrd_t thread;
    int place = 7;
    assert(thrd_create(&thread, (thrd_start_t)look, &place) == thrd_success);
    assert(thrd_join(thread, NULL) == thrd_success);
    assert(seen == 7);
    return 0;
}

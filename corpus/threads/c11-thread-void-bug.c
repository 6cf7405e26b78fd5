// A thread whose function returns nothing has no result that could be looked at.
// expect: uninit=unsafe memory=safe
#include <stddef.h>
#include <threads.h>

int seen;

void look(void *place) { seen = *(int *)place; }

int main(void) {
    thrd_t thread;
    int place = 7, result;
    thrd_create(&thread, (thrd_start_t)look, &place);
    thrd_join(thread, &result);
    if (result == 0) seen = 0; //~ uninit
    return 0;
}

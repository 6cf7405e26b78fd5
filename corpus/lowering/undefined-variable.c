// A variable that is defined nowhere matters only to executions that use it; here there is none.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int missing;
static int *table[2] = {&missing, 0};
static atomic_int count;

static void *f(void *unused) {
    if (atomic_fetch_add(&count, 1) > 2) missing = *table[0];
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(count == 2);
}

// A sum that a double cannot hold: what is exact as long double is rounded on the way.
// expect: assert=unsafe arithmetic=safe

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static long double exact;
static double rounded;

static void *add(void *unused)
{
    (void)unused;
    exact = 1.0L + 0x1p-60L;
    rounded = 1.0 + 0x1p-60;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    pthread_join(thread, NULL);
    assert(exact - 1 == 0x1p-60L);
    assert(rounded == exact); //~ assert
    return 0;
}

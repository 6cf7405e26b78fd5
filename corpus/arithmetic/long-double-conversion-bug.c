// A long double that does not fit an int.
// expect: arithmetic=unsafe assert=safe

#include <pthread.h>
#include <stddef.h>

static long double number = 2147483647.75L;

static void *grow(void *unused)
{
    (void)unused;
    number += 0.25L;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int whole = (int)number;
    pthread_create(&thread, NULL, grow, NULL);
    pthread_join(thread, NULL);
    whole = (int)number; //~ arithmetic
    return whole;
}

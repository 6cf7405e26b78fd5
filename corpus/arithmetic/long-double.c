// long double has 64 bits of precision, and its ten bytes are moved like any others.
// expect: default=safe

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long double total = 0.5L;
static const long double table[] = {1.0L, -2.25L, 1e300L};

static void *add(void *amount)
{
    pthread_mutex_lock(&mutex);
    total += *(long double *)amount;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static long double sum(int count, ...)
{
    long double result = 0;
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        result += va_arg(list, long double);
    va_end(list);
    return result;
}

int main(void)
{
    pthread_t thread;
    long double first = 1.0L / 3.0L, second = 2.0L / 3.0L;
    pthread_create(&thread, NULL, add, &first);
    add(&second);
    pthread_join(thread, NULL);
    assert(total > 1.4999999999999999L && total < 1.5000000000000001L);

    uint64_t large = UINT64_MAX;
    assert((uint64_t)(long double)large == large && (long double)large != (double)large);
    assert((long double)0.1 != 0.1L && (double)0.1L == 0.1);
    assert(table[1] * 4 == -9.0L && table[2] * table[2] > 1e599L);
    assert((int)table[1] == -2 && floorl(table[1]) == -3.0L && fabsl(table[1]) == 2.25L);
    assert(isinf(table[2] / 0.0L) && isnan(0.0L / (table[0] - 1)) && isfinite(table[2]));
    assert(sum(3, 0.5L, 0.25L, 1e-20L) > 0.75L - 1e-19L);

    long double copy;
    unsigned char bytes[10];
    memcpy(&copy, &table[0], sizeof copy);
    memcpy(bytes, &copy, sizeof bytes);
    assert(copy == 1 && bytes[9] == 0x3f && bytes[8] == 0xff && bytes[7] == 0x80 && bytes[0] == 0);
    return 0;
}

// Two threads run the same recursive function, each on its own stack.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static int results[2];

static int sum_to(int n)
{
    return n == 0 ? 0 : n + sum_to(n - 1);
}

static void *first(void *unused)
{
    (void)unused;
    results[0] = sum_to(4);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    results[1] = sum_to(6);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(results[0] == 10 && results[1] == 21);
    return 0;
}

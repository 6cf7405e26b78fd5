// Each thread gets the address of its own element of an array of arguments.
// expect: default=safe overflow=safe

#include <assert.h>
#include <pthread.h>

struct range {
    int first;
    int last;
    int sum;
};

static void *add_up(void *arg)
{
    struct range *range = arg;
    for (int i = range->first; i <= range->last; i++)
        range->sum += i;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct range ranges[2] = {{1, 3, 0}, {4, 5, 0}};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add_up, &ranges[i]);
    int total = 0;
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        total += ranges[i].sum;
    }
    assert(total == 15);
    return 0;
}

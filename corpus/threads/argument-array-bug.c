// The partial sums are added up before the threads are joined.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

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
        range->sum += i; //~ race
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    struct range ranges[2] = {{1, 2, 0}, {3, 4, 0}};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add_up, &ranges[i]);
    int total = 0;
    for (int i = 0; i < 2; i++)
        total += ranges[i].sum; //~ race
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(total == 10); //~ assert
    return 0;
}

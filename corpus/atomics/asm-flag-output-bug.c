// A bit of the wrong meaning as output of assembly: no carry is taken for a bit that was set.
// expect: assert=unsafe race=safe deadlock=safe memory=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static long word;
static _Atomic int winners;

static bool test_and_set(long *word, long bit)
{
    bool was_set;
    __asm__ volatile("lock btsq %2, %1" : "=@ccnc"(was_set), "+m"(*word) : "Jr"(bit) : "memory");
    return was_set;
}

static void *worker(void *unused)
{
    (void)unused;
    if (!test_and_set(&word, 3))
        winners++;
    return NULL;
}

static void *loser(void *unused)
{
    return worker(unused);
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, loser, NULL);
    pthread_join(first, NULL);
    assert(winners == 1); //~ assert
    pthread_join(second, NULL);
    return 0;
}

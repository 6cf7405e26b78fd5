// Flags as outputs of assembly: the thread that sets a bit first, and the one that counts down to zero.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static long bits[2];
static int references = 2;
static _Atomic int winners, releases;

static bool test_and_set(long *word, long bit)
{
    bool was_set;
    __asm__ volatile("lock btsq %2, %1" : "=@ccc"(was_set), "+m"(*word) : "Jr"(bit) : "memory");
    return was_set;
}

static bool drop(int *count)
{
    bool last;
    __asm__ volatile("lock subl $1, %1" : "=@ccz"(last), "+m"(*count) : : "memory");
    return last;
}

static void *worker(void *unused)
{
    (void)unused;
    if (!test_and_set(bits, 65))
        winners++;
    if (drop(&references))
        releases++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(winners == 1 && releases == 1);
    assert(bits[0] == 0 && bits[1] == 2);
    return 0;
}

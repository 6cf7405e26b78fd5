// Declarations without parameters are fine if the calls have the right arguments.
// expect: default=safe
// flags: -std=gnu89
// final-states: 1

#include <assert.h>

int sem_init();
int sem_post();
int sem_trywait();

static char semaphore[32] __attribute__((aligned(16)));

int main(void)
{
    assert(sem_init(semaphore, 0, 1u) == 0);
    assert(sem_post(semaphore) == 0);
    assert(sem_trywait(semaphore) == 0);
    return 0;
}

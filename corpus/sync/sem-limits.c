// A semaphore counts to SEM_VALUE_MAX and no further.
// expect: default=safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>

sem_t semaphore;

int main(void) {
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX + 1u) == -1);
    assert(errno == EINVAL);
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&semaphore) == -1);
    assert(errno == EOVERFLOW);
    int value;
    sem_getvalue(&semaphore, &value);
    assert(value == SEM_VALUE_MAX);
    assert(sem_wait(&semaphore) == 0);
    assert(sem_post(&semaphore) == 0);
    return 0;
}

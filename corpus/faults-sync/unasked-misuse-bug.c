// An unlock of a mutex that is not held leaves open whether the error behind it is reached.
// expect: lock-misuse=unsafe assert=unknown
// assume: nothing

#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_unlock(&lock); //~ lock-misuse
    assert(0);
    return 0;
}

/* The locks of the standard streams, each of which a thread may take several
 * times. Functions that use a stream do not wait for its lock here. */
#include <pthread.h>
#include <stdio.h>

#include "rt.h"

static pthread_mutex_t of_input = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t of_output = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t of_errors = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static pthread_mutex_t *lock_of(const FILE *stream) {
    if (stream == stdin) return &of_input;
    if (stream == stdout) return &of_output;
    if (stream == stderr) return &of_errors;
    __tp_unsupported("the lock of a stream that the program has opened");
}

void flockfile(FILE *stream) { pthread_mutex_lock(lock_of(stream)); }
int ftrylockfile(FILE *stream) { return pthread_mutex_trylock(lock_of(stream)) ? -1 : 0; }
void funlockfile(FILE *stream) { pthread_mutex_unlock(lock_of(stream)); }

// An interpreter that jumps through a table of labels; two threads run programs of it.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { ADD, TWICE, STORE, STOP };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void *run(void *program)
{
    static const void *const handlers[] = {&&add, &&twice, &&store, &&stop};
    const unsigned char *next = program;
    int value = 0;
    goto *handlers[*next++];
add:
    value += *next++;
    goto *handlers[*next++];
twice:
    value *= 2;
    goto *handlers[*next++];
store:
    pthread_mutex_lock(&mutex);
    total += value;
    pthread_mutex_unlock(&mutex);
    goto *handlers[*next++];
stop:
    return NULL;
}

int main(void)
{
    unsigned char first[] = {ADD, 3, TWICE, STORE, STOP};
    unsigned char second[] = {ADD, 1, STORE, ADD, 1, STORE, STOP};
    pthread_t thread;
    pthread_create(&thread, NULL, run, first);
    run(second);
    pthread_join(thread, NULL);
    assert(total == 9);
    return 0;
}

// A thread sets the index of a vector's element to one that the vector does not have.
// expect: memory=unsafe assert=safe deadlock=safe race=safe
// final-states: 1

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

typedef int ints __attribute__((vector_size(16)));

static _Atomic int index;

static void *grow(void *unused)
{
    (void)unused;
    while (index < 4)
        index++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    ints vector = {0, 1, 2, 3};
    pthread_create(&thread, NULL, grow, NULL);
    int at = index;
    vector[at] = 7; //~ memory
    pthread_join(thread, NULL);
    return vector[0];
}

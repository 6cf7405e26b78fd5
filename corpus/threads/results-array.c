// Threads return their results through pthread_join, in an array of their own.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int squares[3];

static void *square(void *arg)
{
    intptr_t number = (intptr_t)arg;
    return (void *)(number * number);
}

int main(void)
{
    pthread_t threads[3];
    for (intptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, square, (void *)(i + 2));
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(threads[i], &result);
        squares[i] = (int)(intptr_t)result;
    }
    assert(squares[0] == 4 && squares[1] == 9 && squares[2] == 16);
    return 0;
}

// Two threads write both fields of a pair in the same order, in separate steps: all four pairs can remain.
// expect: default=safe
// final-states: 4

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct {
    atomic_int x;
    atomic_int y;
} position;

static void *move(void *arg)
{
    int to = (int)(intptr_t)arg;
    position.x = to;
    position.y = to;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, move, (void *)1);
    pthread_create(&b, NULL, move, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

// Two threads write both fields of a pair in separate steps: mixed pairs can remain.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
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
    assert(position.x == position.y); //~ assert
    return 0;
}

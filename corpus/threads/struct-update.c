// Two threads write both fields of a pair under a lock: (1,1) or (2,2).
// expect: default=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int x;
    int y;
} position;

static void *move(void *arg)
{
    int to = (int)(intptr_t)arg;
    pthread_mutex_lock(&lock);
    position.x = to;
    position.y = to;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, move, (void *)1);
    pthread_create(&b, NULL, move, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(position.x == position.y);
    return 0;
}

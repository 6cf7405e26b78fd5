// Two producers put an item each into a queue under a lock; main takes what is there.
// expect: default=safe overflow=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2];
static int count;

static void *produce(void *arg)
{
    pthread_mutex_lock(&lock);
    items[count] = (int)(intptr_t)arg;
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, produce, (void *)1);
    pthread_create(&b, NULL, produce, (void *)2);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        assert(items[i] != 0);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2 && items[0] + items[1] == 3);
    return 0;
}

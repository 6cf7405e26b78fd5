// A bounded buffer with one producer and one consumer, done right: safe.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#define ITEMS 3

static int items[SIZE];
static int count, head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int item) {
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&changed, &lock);
    items[tail] = item;
    tail = (tail + 1) % SIZE;
    count++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static int get(void) {
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&changed, &lock);
    int item = items[head];
    head = (head + 1) % SIZE;
    count--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *unused) {
    for (int i = 1; i <= ITEMS; i++)
        put(i);
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 1; i <= ITEMS; i++)
        assert(get() == i);
    pthread_join(producer, 0);
    return 0;
}

// A circular queue under one lock keeps the order in which a single thread put its elements.
// expect: default=safe overflow=safe leak=safe
// final-states: 3
// (the consumer took none, one or both)
#include <assert.h>
#include <pthread.h>

enum { SLOTS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slot[SLOTS];
static unsigned head, count;

static int put(int value) {
    int done = 0;
    pthread_mutex_lock(&lock);
    if (count < SLOTS) {
        slot[(head + count) % SLOTS] = value;
        count++;
        done = 1;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static int take(void) { // 0: empty
    int value = 0;
    pthread_mutex_lock(&lock);
    if (count > 0) {
        value = slot[head];
        head = (head + 1) % SLOTS;
        count--;
    }
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *arg) {
    (void)arg;
    int first = put(1);
    int second = put(2);
    assert(first && second);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int last = 0;
    for (int i = 0; i < 2; i++) {
        int value = take();
        assert(value == 0 || value > last);
        if (value)
            last = value;
    }
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(p, NULL);
    pthread_join(c, NULL);
    return 0;
}

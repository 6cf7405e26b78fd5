// main joins the producer and then starts the consumer: join and create order the siblings.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int item;

static void *producer(void *arg) {
    (void)arg;
    item = 1;
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int got = item;
    assert(got == 1);
    return NULL;
}

int main(void) {
    pthread_t p, c;
    pthread_create(&p, NULL, producer, NULL);
    pthread_join(p, NULL);
    pthread_create(&c, NULL, consumer, NULL);
    pthread_join(c, NULL);
    return 0;
}

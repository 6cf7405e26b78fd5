// main joins the producer only after it has started the consumer: the two siblings race.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int item;

static void *producer(void *arg) {
    (void)arg;
    item = 1; //~ race
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int got = item;   //~ race
    assert(got == 1); //~ assert
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

// A plain flag guards the data: the order is right under interleaving, yet flag and data race.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static int data;
static volatile bool ready;

static void *producer(void *arg) {
    (void)arg;
    data = 42;    //~ race
    ready = true; //~ race
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    while (!ready) //~ race
        ;
    assert(data == 42); //~ race
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

// Message passing with the flag raised before the data is there.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 3
// (seen flag, seen data) is (0,0), (0,1) or (1,1); an execution with (1,0) ends in the assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int seen_flag, seen_data;

static void *sender(void *arg) {
    (void)arg;
    flag = 1;
    data = 1;
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    seen_flag = flag;
    seen_data = data;
    return NULL;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    assert(!seen_flag || seen_data); //~ assert
    return 0;
}

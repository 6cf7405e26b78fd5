// The counter of messages sent goes around. A message is there to be received, but not any more
// once the counter has gone around, so that sending does not commute with receiving.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static unsigned sent, received, lost;

static void *sender(void *arg) {
    for (int i = 0; i < 4; i++) {
        __VERIFIER_atomic_begin();
        sent = (sent + 1) & 3;
        if (sent == 0)
            lost = 1;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *receiver(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(received < sent);
    received++;
    __VERIFIER_atomic_end();
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(!lost || received == 0 || sent >= received);
    return 0;
}

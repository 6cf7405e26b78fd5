// A queue with room for one message: the sender can tell whether the last message was received, so
// that receiving does not commute with sending although there is a message to be received.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);

static int sent, received, refused;

static void *sender(void *arg) {
    for (int i = 0; i < 3; i++) {
        __VERIFIER_atomic_begin();
        if (sent - received < 1)
            sent++;
        else
            refused++;
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
    assert(received != 1 || sent != 1 || refused != 2);
    return 0;
}

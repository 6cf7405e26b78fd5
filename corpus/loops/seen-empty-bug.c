// A receiver that looks whether there is a message does not commute with the sender: it may find
// nothing.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int sent, received, empty;

static void *sender(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        sent++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *receiver(void *arg) {
    for (int i = 0; i < 2; i++) {
        __VERIFIER_atomic_begin();
        if (received < sent)
            received++;
        else
            empty++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(empty != 1 || received != 1);
    return 0;
}

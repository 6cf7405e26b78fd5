// An input that is equal to another one, and a third that is made of both by bits: what
// is solved for the first must also be put into the bits of the third.
// expect: assert=safe
// inputs: too many
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);

static int sent, received, mask;

static void *receiver(void *arg) {
    received = __VERIFIER_nondet_int();
    __VERIFIER_assume(received == sent + 1);
    mask = __VERIFIER_nondet_int();
    __VERIFIER_assume(mask == (received & (sent + 3)));
    return arg;
}

int main(void) {
    pthread_t thread;
    sent = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= sent && sent < 1000);
    pthread_create(&thread, 0, receiver, 0);
    pthread_join(thread, 0);
    assert(mask == ((sent + 1) & (received + 2)));
}

// One thread sends numbers, as many as it likes, and another one receives them in the same order.
// Whatever is on its way, the sums are the same once everything was received.
// expect: assert=safe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
_Bool __VERIFIER_nondet_bool(void);
int __VERIFIER_nondet_int(void);

static unsigned *message;
static int n, sent, received;
static unsigned out, in;

static void *sender(void *arg) {
    while (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(sent >= 0 && sent < n);
        out += message[sent];
        sent++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

static void *receiver(void *arg) {
    while (__VERIFIER_nondet_bool()) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(received >= 0 && received < sent && received < n);
        in += message[received];
        received++;
        __VERIFIER_atomic_end();
    }
    return arg;
}

int main(void) {
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n > 0 && n < 100000);
    message = calloc(n, sizeof *message);
    __VERIFIER_assume(message != 0);
    for (int i = 0; i < n; i++)
        message[i] = __VERIFIER_nondet_int();
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (sent == received)
        assert(in == out);
    return 0;
}

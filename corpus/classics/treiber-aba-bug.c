// A Treiber stack of recycled nodes: the ABA problem hands out one node twice.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { NONE, A, B, NODES };

static atomic_int next_of[NODES] = {[A] = B};
static atomic_int top = A;
static atomic_bool taken[NODES];

static int pop(void) {
    int t = top;
    while (t != NONE) {
        int next = next_of[t];
        if (atomic_compare_exchange_strong(&top, &t, next)) {
            assert(!atomic_exchange(&taken[t], true)); //~ assert
            return t;
        }
    }
    return NONE;
}

static void push(int n) {
    taken[n] = false;
    int t = top;
    do
        next_of[n] = t;
    while (!atomic_compare_exchange_strong(&top, &t, n));
}

static void *popper(void *arg) {
    (void)arg;
    pop();
    return NULL;
}

static void *recycler(void *arg) {
    (void)arg;
    int a = pop();
    pop(); // keeps it
    if (a != NONE)
        push(a); // the same top as before, with another successor
    return NULL;
}

int main(void) {
    pthread_t p, r;
    pthread_create(&p, NULL, popper, NULL);
    pthread_create(&r, NULL, recycler, NULL);
    pthread_join(p, NULL);
    pthread_join(r, NULL);
    pop();
    return 0;
}

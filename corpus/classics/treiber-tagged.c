// A Treiber stack of recycled nodes with a change counter in its top word is immune to ABA.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { NONE, A, B, NODES };

static atomic_int next_of[NODES] = {[A] = B};
static _Atomic uint32_t top = A; // the change counter in the upper bits, the node in the lower eight
static atomic_bool taken[NODES];

static uint32_t changed(uint32_t old, int node) {
    return ((old >> 8) + 1) << 8 | (uint32_t)node;
}

static int pop(void) {
    uint32_t t = top;
    int node;
    while ((node = t & 0xff) != NONE) {
        int next = next_of[node];
        if (atomic_compare_exchange_strong(&top, &t, changed(t, next))) {
            assert(!atomic_exchange(&taken[node], true));
            return node;
        }
    }
    return NONE;
}

static void push(int node) {
    taken[node] = false;
    uint32_t t = top;
    do
        next_of[node] = t & 0xff;
    while (!atomic_compare_exchange_strong(&top, &t, changed(t, node)));
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
        push(a);
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

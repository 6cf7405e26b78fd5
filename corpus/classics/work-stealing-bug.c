// A work-stealing deque whose owner takes the last task without compare-and-swap: it runs twice.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TASKS = 1 };

static atomic_int top, bottom = TASKS;
static atomic_int runs[TASKS];

static void run(int task) {
    int before = atomic_fetch_add(&runs[task], 1);
    assert(before == 0); //~ assert
}

static void pop(void) { // the owner takes from the bottom
    int b = bottom - 1;
    bottom = b;
    if (top <= b)
        run(b); // a thief may be about to move the top
    else
        bottom = b + 1;
}

static void steal(void) { // thieves take from the top
    int t = top;
    int b = bottom;
    if (t < b && atomic_compare_exchange_strong(&top, &t, t + 1))
        run(t);
}

static void *owner(void *arg) {
    (void)arg;
    pop();
    return NULL;
}

static void *thief(void *arg) {
    (void)arg;
    steal();
    return NULL;
}

int main(void) {
    pthread_t o, t;
    pthread_create(&o, NULL, owner, NULL);
    pthread_create(&t, NULL, thief, NULL);
    pthread_join(o, NULL);
    pthread_join(t, NULL);
    return 0;
}

// A work-stealing deque: the owner and a thief race for the last task, and exactly one gets it.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (top and bottom meet at 1, or at 2 if the owner had to compete for its first task)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { TASKS = 2 };

static atomic_int top, bottom = TASKS;
static atomic_int runs[TASKS];

static void run(int task) {
    int before = atomic_fetch_add(&runs[task], 1);
    assert(before == 0);
}

static void pop(void) { // the owner takes from the bottom
    int b = bottom - 1;
    bottom = b;
    int t = top;
    if (t < b) {
        run(b);
        return;
    }
    if (t == b && atomic_compare_exchange_strong(&top, &t, t + 1))
        run(b);
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
    assert(runs[0] + runs[1] == TASKS);
    return 0;
}

// Write-to-read causality: a store seen by one thread is seen by whom it tells.
// expect: default=safe overflow=safe leak=safe
// final-states: 7
// (three observed bits, minus "told, and yet not seen")
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_by_middle, told, seen_by_last;

static void *writer(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

static void *middle(void *arg) {
    (void)arg;
    seen_by_middle = x;
    y = 1;
    return NULL;
}

static void *last(void *arg) {
    (void)arg;
    told = y;
    seen_by_last = x;
    return NULL;
}

int main(void) {
    void *(*const role[])(void *) = {writer, middle, last};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, role[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(!(seen_by_middle && told && !seen_by_last));
    return 0;
}

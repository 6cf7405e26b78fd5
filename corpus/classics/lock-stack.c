// A stack under one lock: two threads pop two elements, each gets one.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (who got which)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int stack[2] = {10, 20};
static int size = 2;
static int got[2];

static int pop(void) { // -1: empty
    int value = -1;
    pthread_mutex_lock(&lock);
    if (size > 0)
        value = stack[--size];
    pthread_mutex_unlock(&lock);
    return value;
}

static void *popper(void *arg) {
    got[(intptr_t)arg] = pop();
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, popper, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 30);
    return 0;
}

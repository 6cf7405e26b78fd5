/* A stack of a size that is an input: one thread pushes, the other pops, both as often as
   they like. With -DBAD the second thread pops without looking whether there is something. */
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int size, top;

static void push(void) {
    assert(top < size);
    top++;
}

static void pop(void) {
    assert(top > 0);
    top--;
}

static void *pusher(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
        if (top < size)
            push();
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *popper(void *arg) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&lock);
#ifndef BAD
        if (top > 0)
#endif
            pop();
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void) {
    pthread_t first, second;
    size = __VERIFIER_nondet_int();
    __VERIFIER_assume(size > 0);
    pthread_create(&first, 0, pusher, 0);
    pthread_create(&second, 0, popper, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

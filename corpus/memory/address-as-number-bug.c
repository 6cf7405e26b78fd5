// An object that only a number leads to is as much part of the state as any other: it holds 0 or 1.
// expect: assert=unsafe race=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

bool __VERIFIER_nondet_bool(void);

static uintptr_t twice;

static int *cell(void) { return (int *)(twice / 2); }

static void *writer(void *arg) {
    (void)arg;
    *cell() = __VERIFIER_nondet_bool();
    return NULL;
}

int main(void) {
    int *fresh = malloc(sizeof *fresh);
    twice = (uintptr_t)fresh * 2;
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    assert(*cell() == 0); //~ assert
    return 0;
}

// Two threads follow the same links, one of them four at a time, but it forgets one of the four: they
// may come to different places.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assume(int);

static int *links, count, one, other;
static unsigned rounds;

static void inside(int at) { __VERIFIER_assume(at >= 0 && at < count); }

static void *in_ones(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < 4 * rounds; i++) {
        inside(one);
        one = links[one];
    }
    return NULL;
}

static void *in_fours(void *arg) {
    (void)arg;
    for (unsigned i = 0; i < 4 * rounds;) {
        inside(other);
        other = links[other];
        i++;
        inside(other);
        other = links[other];
        i++;
        inside(other);
        other = links[other];
        i += 2;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    rounds = __VERIFIER_nondet_uint();
    count = __VERIFIER_nondet_int();
    __VERIFIER_assume(rounds < 1u << 30 && count > 0);
    links = malloc(count * sizeof(int));
    for (int i = 0; i < count; i++) links[i] = __VERIFIER_nondet_int();
    pthread_create(&threads[0], NULL, in_ones, NULL);
    pthread_create(&threads[1], NULL, in_fours, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(one == other);
    free(links);
    return 0;
}

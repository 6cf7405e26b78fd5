// Three workers take what is left to be done from a queue; whether anything is left is looked at
// before the lock is taken.
// expect: assert=unsafe
// loops: by inputs
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

static int all, left, taken;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int is_any = left > 0;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (is_any) {
            left--;
            taken++;
        }
        assert(left >= 0 && left + taken == all); //~ assert
        pthread_mutex_unlock(&lock);
        if (!is_any)
            return arg;
    }
}

int main(void) {
    pthread_t workers[3];
    all = __VERIFIER_nondet_int();
    __VERIFIER_assume(all >= 0);
    left = all;
    for (int i = 0; i < 3; i++)
        pthread_create(&workers[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(workers[i], 0);
    assert(taken == all); //~ assert
    return 0;
}

// A function takes the lock for its caller on one path only.
// expect: race=unsafe
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
extern int __VERIFIER_nondet_int(void);

static void enter(int how) {
    if (how) return;
    pthread_mutex_lock(&m);
}

static void *run(void *arg) {
    enter(__VERIFIER_nondet_int() & 1);
    x++; //~ race
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return x;
}

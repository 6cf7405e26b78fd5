// One side uses an atomic store, the other a plain load of the same variable.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
#include <pthread.h>

static int flag;
static int seen;

static void *setter(void *arg) {
    (void)arg;
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST); //~ race
    return NULL;
}

static void *checker(void *arg) {
    (void)arg;
    seen = flag; //~ race
    return NULL;
}

int main(void) {
    pthread_t s, c;
    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    pthread_join(s, NULL);
    pthread_join(c, NULL);
    return 0;
}

// The "reorder" benchmark: a checker catches a setter between its two stores.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int a, b;

static void *setter(void *arg) {
    (void)arg;
    a = 1;  //~ race
    b = -1; //~ race
    return NULL;
}

static void *checker(void *arg) {
    (void)arg;
    int seen_a = a;
    int seen_b = b;
    assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1)); //~ assert
    return NULL;
}

int main(void) {
    pthread_t s[2], c;
    for (int i = 0; i < 2; i++)
        pthread_create(&s[i], NULL, setter, NULL);
    pthread_create(&c, NULL, checker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(s[i], NULL);
    pthread_join(c, NULL);
    return 0;
}

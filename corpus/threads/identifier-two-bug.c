// Two threads were joined: a new one may get the identifier of either
// expect: assert=unsafe race=safe
#include <assert.h>
#include <pthread.h>

static pthread_t earlier[2];

static void *tell(void *slot) {
    *(pthread_t *)slot = pthread_self();
    return 0;
}

static void *compare(void *unused) {
    assert(!pthread_equal(earlier[0], pthread_self())); //~ assert
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, tell, &earlier[0]);
    pthread_create(&b, 0, tell, &earlier[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_create(&c, 0, compare, 0);
    pthread_join(c, 0);
    return 0;
}

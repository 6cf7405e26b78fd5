// What one thread alone writes is known when it has ended.
// expect: assert=safe
// analysis: proves assert
#include <assert.h>
#include <pthread.h>

int x = 1, y;

static void *first(void *arg) {
    assert(x == 2);
    x++;
    return NULL;
}

static void *second(void *arg) {
    y = 5;
    return NULL;
}

int main(void) {
    pthread_t t, u;
    x = 2;
    pthread_create(&u, NULL, second, NULL);
    pthread_create(&t, NULL, first, NULL);
    pthread_join(t, NULL);
    assert(x == 3);
    pthread_join(u, NULL);
    assert(y == 5);
    return 0;
}

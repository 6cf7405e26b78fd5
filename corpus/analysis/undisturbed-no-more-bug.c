// Between two writes under a lock another thread reads one of the variables without it.
// expect: assert=unsafe race=unsafe deadlock=safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

static void *run(void *arg) {
    pthread_mutex_lock(&m);
    x++; //~ race
    y++; //~ race
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, run, NULL);
    int seen_x = x; //~ race
    int seen_y = y; //~ race
    assert(seen_x == seen_y); //~ assert
    return 0;
}

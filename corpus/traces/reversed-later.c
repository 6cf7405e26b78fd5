// That both readers come before both writers is found only by reversing a race in an execution that is not the
// first to have it.
// expect: default=safe
// executions: 24
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *read_y(void *unused) {
    (void)y;
    return unused;
}

static void *write_x(void *unused) {
    x = 1;
    return unused;
}

static void *read_x(void *unused) {
    (void)x;
    return unused;
}

static void *write_y(void *unused) {
    y = 1;
    return unused;
}

static void *read_y_write_x(void *unused) {
    (void)y;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t threads[5];
    pthread_create(&threads[0], 0, read_y, 0);
    pthread_create(&threads[1], 0, write_x, 0);
    pthread_create(&threads[2], 0, read_x, 0);
    pthread_create(&threads[3], 0, write_y, 0);
    pthread_create(&threads[4], 0, read_y_write_x, 0);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], 0);
    return 0;
}

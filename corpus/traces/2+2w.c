// Two threads write to two locations in opposite orders; sequential consistency leaves three traces.
// expect: default=safe
// executions: 3
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *x_then_y(void *unused) {
    x = 1;
    y = 2;
    return unused;
}

static void *y_then_x(void *unused) {
    y = 1;
    x = 2;
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, x_then_y, 0);
    pthread_create(&second, 0, y_then_x, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

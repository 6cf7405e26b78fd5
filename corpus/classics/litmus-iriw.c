// Independent reads of independent writes: two readers never disagree on the order of two stores.
// expect: default=safe overflow=safe leak=safe
// final-states: 15
// (four observed bits, minus the one combination in which the readers disagree)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a[2], b[2];

static void *write_x(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

static void *write_y(void *arg) {
    (void)arg;
    y = 1;
    return NULL;
}

static void *read_xy(void *arg) {
    (void)arg;
    a[0] = x;
    a[1] = y;
    return NULL;
}

static void *read_yx(void *arg) {
    (void)arg;
    b[0] = y;
    b[1] = x;
    return NULL;
}

int main(void) {
    void *(*const role[])(void *) = {write_x, write_y, read_xy, read_yx};
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, role[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(!(a[0] && !a[1] && b[0] && !b[1]));
    return 0;
}

// Two threads work on disjoint elements of one array.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int a[4];

struct range {
    int from, to;
};

static void *increment(void *arg) {
    const struct range *r = arg;
    for (int i = r->from; i <= r->to; i++)
        a[i]++;
    return NULL;
}

int main(void) {
    struct range ranges[2] = {{0, 1}, {2, 3}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, increment, &ranges[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a[0] + a[1] + a[2] + a[3] == 4);
    return 0;
}

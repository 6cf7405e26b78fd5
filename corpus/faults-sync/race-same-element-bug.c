// Two threads work on overlapping halves of an array: the middle element belongs to both.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>

static int a[3];

struct range {
    int from, to;
};

static void *increment(void *arg) {
    const struct range *r = arg;
    for (int i = r->from; i <= r->to; i++)
        a[i]++; //~ race
    return NULL;
}

int main(void) {
    struct range ranges[2] = {{0, 1}, {1, 2}};
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, increment, &ranges[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(a[1] == 2); //~ assert
    return 0;
}

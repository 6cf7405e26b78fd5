// Compound literals live as long as their blocks: used in conditions, after a goto, by a cleanup, by a thread that is joined in time.
// expect: default=safe
#include <assert.h>
#include <pthread.h>

struct pair {
    int first, last;
};

static int cleaned;

static void clean(struct pair **pair) { cleaned += (*pair)->last; }

static void *work(void *arg) {
    struct pair *pair = arg;
    pair->last++;
    return 0;
}

/* The example of the C standard: in one block, it is one object. */
static int again(void) {
    struct pair *p = 0, *q;
    int j = 0;
    {
    again:
        q = p, p = &(struct pair){.first = j++};
        if (j < 2) goto again;
        assert(p == q && q->first == 1);
    }
    return j;
}

static int conditions(int n) {
    struct pair *pair;
    int sum = 0;
    if ((pair = &(struct pair){n, 1}) && pair->first) sum += pair->last;
    while ((pair = &(struct pair){n--, 2})->first) sum += pair->last;
    for (int *p = (int[]){1, 2, 0}; *p; p++) sum += *p;
    switch (*(int *)&(int){n}) {
    case -1: pair = &(struct pair){3, 4};
    case 0: sum += pair->last;
    }
    return sum;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        struct pair *pair = &(struct pair){i, i};
        pthread_create(&thread, 0, work, pair);
        pthread_join(thread, 0);
        assert(pair->last == i + 1);
    }
    {
        struct pair *pair __attribute__((cleanup(clean))) = &(struct pair){1, 5};
        pair->first++;
    }
    assert(cleaned == 5);
    assert(again() == 2);
    assert(conditions(2) == 1 + 4 + 3 + 4);
    return 0;
}

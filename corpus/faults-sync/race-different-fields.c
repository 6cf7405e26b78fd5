// Two threads update different fields of a shared structure.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static struct {
    int hits;
    int misses;
} statistics;

static void *count_hit(void *arg) {
    (void)arg;
    statistics.hits++;
    return NULL;
}

static void *count_miss(void *arg) {
    (void)arg;
    statistics.misses++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count_hit, NULL);
    pthread_create(&b, NULL, count_miss, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(statistics.hits == 1 && statistics.misses == 1);
    return 0;
}

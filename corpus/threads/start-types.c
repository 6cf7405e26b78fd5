// Threads run functions of other types than void *(void *), cast to it.
// expect: default=safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef void *(*start)(void *);

int total;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void add(int amount) {
    pthread_mutex_lock(&mutex);
    total += amount;
    pthread_mutex_unlock(&mutex);
}

static void add_one(void) { add(1); }
static void add_what(void *amount) { add(*(int *)amount); }
static int successor(int number) { return number + 1; }
static void *first_of_two(void *a, void *b) { return a; }

int main(void) {
    pthread_t threads[4];
    int two = 2;
    void *result;
    pthread_create(&threads[0], 0, (start)add_one, 0);
    pthread_create(&threads[1], 0, (start)add_what, &two);
    pthread_create(&threads[2], 0, (start)successor, (void *)(intptr_t)41);
    pthread_create(&threads[3], 0, (start)first_of_two, &two);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], &result);
    pthread_join(threads[2], &result);
    assert((int)(intptr_t)result == 42);
    pthread_join(threads[3], &result);
    assert(result == &two);
    assert(total == 3);
    return 0;
}

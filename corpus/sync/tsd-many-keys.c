// A thread has values for 70 keys: the destructor of each is called, and once more for a value that it leaves.
// expect: default=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

#define KEYS 70

static pthread_key_t keys[KEYS];
static int calls, last;

static void count(void *value) {
    int *number = value;
    calls++;
    // All keys come before one that comes again.
    if (calls <= KEYS) assert(*number == calls - 1);
    last = *number;
    if (*number == 0 && calls < 2 * KEYS) pthread_setspecific(keys[0], value);
}

static void *worker(void *arg) {
    static int kept[KEYS];
    for (int i = 0; i < KEYS; i++) {
        kept[i] = i;
        pthread_setspecific(keys[i], &kept[i]);
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < KEYS; i++) pthread_key_create(&keys[i], count);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    // Four rounds: the first of all keys, three more of one.
    assert(calls == KEYS + 3 && last == 0);
    return 0;
}

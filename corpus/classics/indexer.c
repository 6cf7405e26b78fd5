// The "indexer" benchmark: threads claim slots of a hash table with compare-and-swap.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (keys 1 and 5 both hash to slot 1: one gets it, the other goes to slot 2)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { SLOTS = 4 };

static atomic_int table[SLOTS];

static void *inserter(void *arg) {
    int key = (int)(intptr_t)arg;
    int slot = key % SLOTS;
    int expected = 0;
    while (!atomic_compare_exchange_strong(&table[slot], &expected, key)) {
        slot = (slot + 1) % SLOTS;
        expected = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, inserter, (void *)(intptr_t)1);
    pthread_create(&t[1], NULL, inserter, (void *)(intptr_t)5);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(table[1] + table[2] == 6);
    return 0;
}

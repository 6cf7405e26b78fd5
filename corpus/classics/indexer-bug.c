// A hash table whose slots are tested and then filled: one key overwrites the other.
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 2
// (the executions that do not lose a key; a lost key ends in the assertion)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { SLOTS = 4 };

static atomic_int table[SLOTS];

static void *inserter(void *arg) {
    int key = (int)(intptr_t)arg;
    int slot = key % SLOTS;
    while (table[slot] != 0)
        slot = (slot + 1) % SLOTS;
    table[slot] = key;
    return NULL;
}

int main(void) {
    pthread_t t[2];
    pthread_create(&t[0], NULL, inserter, (void *)(intptr_t)1);
    pthread_create(&t[1], NULL, inserter, (void *)(intptr_t)5);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(table[1] + table[2] == 6); //~ assert
    return 0;
}

// N threads put four messages each into one hash table by compare-and-exchange; up to eleven do not meet.
// expect: default=safe
// executions: 8
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif
#define SIZE 128
#define MESSAGES 4

static atomic_int table[SIZE];
static int numbers[N];

static void *fill(void *number) {
    int id = *(int *)number;
    for (int message = 1; message <= MESSAGES; message++) {
        int word = message * 11 + id;
        int slot = word * 7 % SIZE;
        int empty = 0;
        while (!atomic_compare_exchange_strong(&table[slot], &empty, word)) {
            slot = (slot + 1) % SIZE;
            empty = 0;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], 0, fill, &numbers[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}

// Threads that only read need no synchronisation.
// expect: default=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static int table[2];

static void *reader(void *arg) {
    (void)arg;
    assert(table[0] + table[1] == 3);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    table[0] = 1;
    table[1] = 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

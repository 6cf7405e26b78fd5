// N readers and one writer: each reader comes before the writer or after it, 2^N traces.
// expect: default=safe
// executions: 32
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int shared;

static void *read_it(void *unused) {
    (void)atomic_load(&shared);
    return unused;
}

static void *write_it(void *unused) {
    shared = 1;
    return unused;
}

int main(void) {
    pthread_t writer, readers[N];
    pthread_create(&writer, 0, write_it, 0);
    for (int i = 0; i < N; i++)
        pthread_create(&readers[i], 0, read_it, 0);
    pthread_join(writer, 0);
    for (int i = 0; i < N; i++)
        pthread_join(readers[i], 0);
    return 0;
}

// Two threads test the shared buffer and then free it: both may pass the test first.
// expect: memory=unsafe assert=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) buffer;

static void *cleaner(void *unused)
{
    (void)unused;
    int *mine = atomic_load(&buffer);
    if (mine != NULL) {
        free(mine); //~ memory
        atomic_store(&buffer, NULL);
    }
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    atomic_store(&buffer, malloc(sizeof(int)));
    pthread_create(&first, NULL, cleaner, NULL);
    pthread_create(&second, NULL, cleaner, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}

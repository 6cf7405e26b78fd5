// Threads created in a loop get the address of the loop counter, which moves on under them.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2 };

static atomic_int visits[N + 1];

static void *worker(void *arg) {
    int id = *(int *)arg; //~ race
    visits[id]++;
    return NULL;
}

int main(void) {
    pthread_t t[N];
    int i;
    for (i = 0; i < N; i++)
        pthread_create(&t[i], NULL, worker, &i);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    assert(visits[0] == 1 && visits[1] == 1); //~ assert
    return 0;
}

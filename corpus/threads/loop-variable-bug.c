// Each thread gets the address of main's loop variable, which main goes on changing.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int started[3];

static void *worker(void *arg)
{
    int id = *(int *)arg; //~ race
    started[id]++;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int i;
    for (i = 0; i < 2; i++) //~ race
        pthread_create(&threads[i], NULL, worker, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(threads[j], NULL);
    assert(started[0] == 1 && started[1] == 1); //~ assert
    return 0;
}

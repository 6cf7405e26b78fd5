// Looking at a semaphore's value orders nothing: the main thread learns that the
// other one is past its write, and races with it all the same.
// expect: race=unsafe memory=safe assert=safe deadlock=safe
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int data;

static void *writer(void *arg) {
    (void)arg;
    data = 1;
    sem_post(&done);
    return NULL;
}

int main(void) {
    sem_init(&done, 0, 0);
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    int value = 0;
    sem_getvalue(&done, &value);
    if (value == 1)
        data = 2; //~ race
    pthread_join(t, NULL);
    return 0;
}

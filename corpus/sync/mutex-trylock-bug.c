// The result of trylock is ignored: both threads count at once, and one unlocks what it does not hold.
// expect: race=unsafe lock-misuse=unsafe assert=safe deadlock=safe memory=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_trylock(&lock);
    counter++;                   //~ race
    pthread_mutex_unlock(&lock); //~ lock-misuse
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

// The second thread learns that the first one is past its write by finding the
// lock held. Finding that out orders nothing, so the two writes race, though
// there is no state in which both are still to be made.
// expect: race=unsafe memory=safe assert=safe deadlock=safe
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *holder(void *arg) {
    (void)arg;
    data = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, holder, NULL);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    else
        data = 2; //~ race
    pthread_join(t, NULL);
    return 0;
}

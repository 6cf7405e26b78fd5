// Ownership of plain data passes through a queue under a lock; the data itself is touched outside.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (the mailbox was emptied in time, or the parcel still lies there)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int parcel;
static int *mailbox;

static void *sender(void *arg) {
    (void)arg;
    parcel = 5;
    pthread_mutex_lock(&lock);
    mailbox = &parcel;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int *mine = mailbox;
    mailbox = NULL;
    pthread_mutex_unlock(&lock);
    if (mine) {
        *mine += 1;
        assert(*mine == 6);
    }
    return NULL;
}

int main(void) {
    pthread_t s, r;
    pthread_create(&s, NULL, sender, NULL);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_join(s, NULL);
    pthread_join(r, NULL);
    return 0;
}

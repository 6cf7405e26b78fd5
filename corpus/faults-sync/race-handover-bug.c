// The sender touches the parcel once more after it has handed it over.
// expect: race=unsafe assert=unsafe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
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
    parcel = 0; //~ race
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int *mine = mailbox;
    mailbox = NULL;
    pthread_mutex_unlock(&lock);
    if (mine) {
        int value = *mine;  //~ race
        assert(value == 5); //~ assert
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

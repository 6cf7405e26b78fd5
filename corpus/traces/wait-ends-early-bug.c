// A wait with a time limit may be over before anything was sent.
// expect: assert=unsafe
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static struct timespec limit;
static int sent;

static void *receive(void *unused) {
    pthread_mutex_lock(&mutex);
    if (!sent) {
        pthread_cond_timedwait(&condition, &mutex, &limit);
        assert(sent); //~ assert
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t receiver;
    pthread_create(&receiver, 0, receive, 0);
    pthread_mutex_lock(&mutex);
    sent = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_join(receiver, 0);
    return 0;
}

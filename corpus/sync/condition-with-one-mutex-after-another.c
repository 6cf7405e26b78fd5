// A condition may be used with another mutex once no thread waits on it any more.
// expect: default=safe
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready[2];

static void *waiter(void *arg) {
    int mine = *(int *)arg;
    pthread_mutex_lock(&locks[mine]);
    while (!ready[mine]) pthread_cond_wait(&changed, &locks[mine]);
    pthread_mutex_unlock(&locks[mine]);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, waiter, &i);
        pthread_mutex_lock(&locks[i]);
        ready[i] = true;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&locks[i]);
        pthread_join(thread, NULL);
    }
    return 0;
}

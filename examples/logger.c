// A logger writes messages in the background. `stop` wakes it, and says that it
// shall end. A logger that is woken before that is said finds nothing to do and
// waits again, for ever; and main waits for it.
#include <assert.h>
#include <pthread.h>

#define MESSAGES 2

static int pending, written, stopping;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;

static void *logger(void *unused) {
    pthread_mutex_lock(&lock);
    while (!stopping || pending > 0) {
        while (pending > 0) {
            pending--;
            written++;
        }
        if (!stopping)
            pthread_cond_wait(&news, &lock);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

static void log_message(void) {
    pthread_mutex_lock(&lock);
    pending++;
    pthread_cond_signal(&news);
    pthread_mutex_unlock(&lock);
}

static void stop(void) {
    pthread_cond_signal(&news);
    pthread_mutex_lock(&lock);
    stopping = 1;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, logger, 0);
    for (int i = 0; i < MESSAGES; i++)
        log_message();
    stop();
    pthread_join(thread, 0);
    assert(written == MESSAGES);
    return 0;
}

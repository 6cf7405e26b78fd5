// A thread takes and gives back its lock for ever, while another one changes what it checks.
// expect: assert=unsafe race=unsafe deadlock=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int round, wrong;

static void *forever(void *arg) {
    for (;;) {
        pthread_mutex_lock(&lock);
        round = !round;
        pthread_mutex_unlock(&lock);
        assert(!wrong); //~ assert race
    }
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forever, 0);
    wrong = 1; //~ race
    pthread_join(thread, 0);
    return 0;
}

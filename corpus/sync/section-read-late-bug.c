// A variable is used under its lock until a thread that is started late reads it without.
// expect: assert=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int whole = 2;

static void *changer(void *arg) {
    pthread_mutex_lock(&lock);
    whole = whole - 1;
    whole = whole + 1; //~ race
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *reader(void *arg) {
    assert(whole == 2); //~ assert race
    return arg;
}

static void *starter(void *arg) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_create(&thread, 0, reader, arg);
    pthread_join(thread, 0);
    return arg;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, changer, 0);
    pthread_create(&second, 0, starter, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

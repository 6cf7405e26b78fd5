// The "twostage" benchmark: each stage has its own lock, and a reader slips in between (no data race).
// expect: assert=unsafe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
// final-states: 1
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);

    pthread_mutex_lock(&second_lock);
    second = 2;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&first_lock);
    int f = first;
    pthread_mutex_unlock(&first_lock);
    if (f == 0)
        return NULL; // the writer has not begun

    pthread_mutex_lock(&second_lock);
    int s = second;
    pthread_mutex_unlock(&second_lock);
    assert(s == f + 1); //~ assert
    return NULL;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}

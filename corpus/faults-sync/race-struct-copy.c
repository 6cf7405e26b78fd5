// A structure is copied as a whole under the lock that protects its fields.
// expect: default=safe overflow=safe leak=safe
// final-states: 2
// (saved before or after the move)
#include <assert.h>
#include <pthread.h>

struct point {
    int x, y;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct point current = {1, 2};
static struct point saved;

static void *mover(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    current.x = 5;
    current.y = 6;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *saver(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    saved = current;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t m, s;
    pthread_create(&m, NULL, mover, NULL);
    pthread_create(&s, NULL, saver, NULL);
    pthread_join(m, NULL);
    pthread_join(s, NULL);
    assert(saved.y == saved.x + 1);
    return 0;
}

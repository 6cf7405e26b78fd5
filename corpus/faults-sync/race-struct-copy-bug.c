// A structure is copied as a whole while another thread changes one of its fields.
// expect: race=unsafe assert=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe
// expect: arithmetic=safe overflow=safe leak=safe
#include <pthread.h>

struct point {
    int x, y;
};

static struct point current = {1, 2};
static struct point saved;

static void *mover(void *arg) {
    (void)arg;
    current.y = 3; //~ race
    return NULL;
}

static void *saver(void *arg) {
    (void)arg;
    saved = current; //~ race
    return NULL;
}

int main(void) {
    pthread_t m, s;
    pthread_create(&m, NULL, mover, NULL);
    pthread_create(&s, NULL, saver, NULL);
    pthread_join(m, NULL);
    pthread_join(s, NULL);
    return 0;
}

// The lock is overwritten with a free one while it is held.
// expect: race=unsafe
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];

static void *run(void *arg) {
    struct account *one = arg;
    pthread_mutex_lock(&one->lock);
    one->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; //~ race
    one->money++; //~ race
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 3; i++) pthread_mutex_init(&all[i].lock, NULL);
    pthread_create(&t, NULL, run, &all[0]);
    pthread_create(&u, NULL, run, &all[0]);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

// A pointer that may be the same one gives the lock back.
// expect: race=unsafe
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];

static void *run(void *arg) {
    struct account *one = &all[1], *other = arg;
    pthread_mutex_lock(&one->lock);
    if (one == other) pthread_mutex_unlock(&other->lock);
    one->money++; //~ race
    if (one != other) pthread_mutex_unlock(&one->lock);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 3; i++) pthread_mutex_init(&all[i].lock, NULL);
    pthread_create(&t, NULL, run, &all[1]);
    pthread_create(&u, NULL, run, &all[0]);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

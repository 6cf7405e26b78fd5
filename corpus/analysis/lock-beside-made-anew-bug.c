// Each thread makes the lock of the object anew before it takes it.
// expect: race=unsafe
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];

static void *run(void *arg) {
    struct account *one = arg;
    pthread_mutex_init(&one->lock, NULL);
    pthread_mutex_lock(&one->lock);
    one->money++; //~ race
    pthread_mutex_unlock(&one->lock);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, NULL, run, &all[0]);
    pthread_create(&u, NULL, run, &all[0]);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

// The pointer is read again after the lock was taken, when it may be another one.
// expect: race=unsafe
#include <pthread.h>

#include <stdatomic.h>

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];
_Atomic(struct account *) current = &all[0];

static void *run(void *arg) {
    for (int i = 0; i < 2; i++) {
        struct account *one = current;
        pthread_mutex_lock(&one->lock);
        current->money++; //~ race
        pthread_mutex_unlock(&one->lock);
        current = &all[1];
    }
    return NULL;
}

int main(void) {
    pthread_t t, u;
    for (int i = 0; i < 3; i++) pthread_mutex_init(&all[i].lock, NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

// The call within a call takes the lock of another object.
// expect: race=unsafe
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];

static void visit(struct account *one, int deeper) {
    if (deeper) {
        visit(one + 1, 0);
        one->money++; //~ race
    } else {
        pthread_mutex_lock(&one->lock);
    }
}

static void *run(void *arg) {
    visit(all, 1);
    pthread_mutex_unlock(&all[1].lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    for (int i = 0; i < 3; i++) pthread_mutex_init(&all[i].lock, NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_mutex_lock(&all[0].lock);
    all[0].money++; //~ race
    pthread_mutex_unlock(&all[0].lock);
    pthread_join(t, NULL);
    return 0;
}

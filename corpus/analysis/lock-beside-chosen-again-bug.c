// A function chooses another object when it is called again.
// expect: race=unsafe
// options: --nondet-range=0..1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    pthread_mutex_t lock;
    int money;
};
struct account all[3];

static struct account *choose(void) { return &all[__VERIFIER_nondet_int()]; }

static void *run(void *arg) {
    struct account *one, *locked = NULL;
    for (int i = 0; i < 2; i++) {
        one = choose();
        if (i == 0) {
            locked = one;
            pthread_mutex_lock(&one->lock);
        }
    }
    one->money++; //~ race
    pthread_mutex_unlock(&locked->lock);
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

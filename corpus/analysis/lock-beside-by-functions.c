// A function takes the lock of an object that it chooses, another one gives it back.
// expect: race=safe
// analysis: proves
// options: --nondet-range=0..1
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct account {
    int money;
    pthread_mutex_t lock;
};
struct account mine, yours;

static struct account *take(int which) {
    struct account *one = which ? &mine : &yours;
    pthread_mutex_lock(&one->lock);
    return one;
}

static void spend(struct account *one) { one->money--; }

static void give(struct account *one) { pthread_mutex_unlock(&one->lock); }

static void *run(void *arg) {
    struct account *one = take(__VERIFIER_nondet_int());
    spend(one);
    give(one);
    return NULL;
}

int main(void) {
    pthread_t t, u;
    pthread_mutex_init(&mine.lock, NULL);
    pthread_mutex_init(&yours.lock, NULL);
    pthread_create(&t, NULL, run, NULL);
    pthread_create(&u, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}

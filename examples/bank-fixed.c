// The bank without its deadlock: whoever needs both accounts takes the locks in
// one order, that of the accounts' numbers.
#include <assert.h>
#include <pthread.h>

struct account {
    int number;
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {1, PTHREAD_MUTEX_INITIALIZER, 100};
struct account bob = {2, PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    struct account *first = from->number < to->number ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *alice_pays(void *unused) {
    transfer(&alice, &bob, 30);
    return unused;
}

static void *bob_pays(void *unused) {
    transfer(&bob, &alice, 20);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, alice_pays, 0);
    pthread_create(&second, 0, bob_pays, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(alice.balance + bob.balance == 200);
    return 0;
}

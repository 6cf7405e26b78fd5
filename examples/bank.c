// Two transfers between two accounts, each under the locks of both accounts.
// The transfers go in opposite directions and take the locks in opposite order.
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount) {
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
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

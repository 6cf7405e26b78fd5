// Two threads take two locks in the order of their addresses: no deadlock, whichever order that is.
// expect: default=safe
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

struct account *left, *right;

static void transfer(struct account *from, struct account *to) {
    struct account *first = (uintptr_t)from < (uintptr_t)to ? from : to;
    struct account *second = first == from ? to : from;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->money--;
    to->money++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *to_the_right(void *argument) {
    transfer(left, right);
    return 0;
}

static void *to_the_left(void *argument) {
    transfer(right, left);
    return 0;
}

static struct account *open_account(void) {
    struct account *account = malloc(sizeof *account);
    pthread_mutex_init(&account->lock, 0);
    account->money = 5;
    return account;
}

int main(void) {
    left = open_account();
    right = open_account();
    pthread_t one, other;
    pthread_create(&one, 0, to_the_right, 0);
    pthread_create(&other, 0, to_the_left, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    free(left);
    free(right);
    return 0;
}

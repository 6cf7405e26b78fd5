// Nodes that point to themselves and to each other, freed and made again: each has its
// own name in a report for as long as it lives.
// expect: assert=unsafe memory=safe race=safe deadlock=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *unused) {
    (void)unused;
    struct node *own = malloc(sizeof *own);
    own->next = own; // a ring of one
    own->value = 1;
    pthread_mutex_lock(&lock);
    struct node *old = head;
    head = own;
    pthread_mutex_unlock(&lock);
    if (old) {
        own->next = old;
        old->next = own;
    }
    return own;
}

int main(void) {
    pthread_t first, second;
    void *one, *two;
    struct node *gone = malloc(sizeof *gone);
    gone->next = gone;
    free(gone);
    struct node *again = malloc(sizeof *again);
    again->next = again;
    pthread_create(&first, NULL, add, NULL);
    pthread_create(&second, NULL, add, NULL);
    pthread_join(first, &one);
    pthread_join(second, &two);
    struct node *node = one;
    assert(node->next == node && again->next == again); //~ assert
    free(one);
    free(two);
    free(again);
    return 0;
}

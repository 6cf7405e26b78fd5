// Two workers allocate a node each and push it on a list; one of them does not look at what malloc gives it.
// options: --malloc-may-fail
// expect: memory=unsafe assert=safe race=safe default=unsafe
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void push(struct node *node) {
    pthread_mutex_lock(&lock);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&lock);
}

static void *careful(void *arg) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->value = 1;
    push(node);
    return 0;
}

static void *careless(void *arg) {
    struct node *node = malloc(sizeof *node);
    node->value = 2; //~ memory
    push(node);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, careful, 0);
    pthread_create(&second, 0, careless, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}

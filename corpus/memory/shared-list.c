// Two threads push onto one list under a mutex; both nodes are on it afterwards.
// expect: default=safe leak=safe

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static void *push(void *arg)
{
    struct node *node = malloc(sizeof *node);
    node->value = (int)(intptr_t)arg;
    pthread_mutex_lock(&lock);
    node->next = list;
    list = node;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, (void *)1);
    pthread_create(&b, NULL, push, (void *)2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int sum = 0;
    while (list != NULL) {
        struct node *node = list;
        list = node->next;
        sum += node->value;
        free(node);
    }
    assert(sum == 3);
    return 0;
}

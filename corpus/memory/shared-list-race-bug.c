// Two threads push onto one list without a lock: four lists can result, [2 1], [1 2], [1] and [2].
// expect: race=unsafe assert=safe deadlock=safe memory=safe arithmetic=safe lock-misuse=safe uninit=safe
// final-states: 4

#include <pthread.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list;
static struct node nodes[2] = {{1, 0}, {2, 0}};

static void *push(void *arg)
{
    struct node *node = arg;
    node->next = list; //~ race
    list = node; //~ race
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, push, &nodes[0]);
    pthread_create(&b, NULL, push, &nodes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

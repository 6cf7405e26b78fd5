// The Michael-Scott queue: two enqueuers and a dequeuer; no element is lost or seen twice.
// expect: default=safe overflow=safe leak=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node nodes[3]; // nodes[0] is the first dummy
static _Atomic(struct node *) head = &nodes[0];
static _Atomic(struct node *) tail = &nodes[0];

static void enqueue(struct node *n, int value) {
    n->value = value;
    for (;;) {
        struct node *last = tail;
        struct node *next = last->next;
        if (next) { // help a slower enqueuer to move the tail
            atomic_compare_exchange_strong(&tail, &last, next);
        } else if (atomic_compare_exchange_strong(&last->next, &next, n)) {
            atomic_compare_exchange_strong(&tail, &last, n);
            return;
        }
    }
}

static int dequeue(void) { // 0: empty
    for (;;) {
        struct node *first = head;
        struct node *last = tail;
        struct node *next = first->next;
        if (!next)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
        } else {
            int value = next->value;
            if (atomic_compare_exchange_strong(&head, &first, next))
                return value;
        }
    }
}

static void *enqueuer(void *arg) {
    intptr_t i = (intptr_t)arg;
    enqueue(&nodes[i], (int)i);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, enqueuer, (void *)(i + 1));
    int sum = dequeue(); // while they run
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    sum += dequeue();
    sum += dequeue();
    assert(sum == 3);
    return 0;
}

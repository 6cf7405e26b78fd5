// Reference counting: decrements release, and the last owner acquires before it frees.
// expect: default=safe leak=safe overflow=safe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

static void drop(struct object *o) {
    if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(o);
    }
}

static void *user(void *arg) {
    struct object *o = arg;
    int value = o->value;
    (void)value;
    drop(o);
    return NULL;
}

int main(void) {
    struct object *o = malloc(sizeof *o);
    atomic_init(&o->references, 2);
    o->value = 1;
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, user, o);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}

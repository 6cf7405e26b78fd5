// The decrement is a load and a store: both owners can leave one reference behind, and nobody frees the object.
// expect: default=safe leak=unsafe

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int payload;
};

static void *owner(void *arg)
{
    struct object *object = arg;
    int left = atomic_load(&object->references) - 1;
    atomic_store(&object->references, left);
    if (left == 0)
        free(object);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    object->payload = 9;
    pthread_create(&a, NULL, owner, object);
    pthread_create(&b, NULL, owner, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}

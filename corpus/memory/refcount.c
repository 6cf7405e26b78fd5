// The last owner of a shared object frees it: the atomic decrement says who was last.
// expect: default=safe leak=safe

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
    int payload = object->payload;
    (void)payload;
    if (atomic_fetch_sub(&object->references, 1) == 1)
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

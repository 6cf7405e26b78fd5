// Decrement and test are two steps: both owners can see zero and free the object.
// expect: memory=unsafe assert=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

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
    atomic_fetch_sub(&object->references, 1);
    if (atomic_load(&object->references) == 0) //~ memory
        free(object); //~ memory
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

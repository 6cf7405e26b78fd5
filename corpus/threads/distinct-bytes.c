// Two threads write neighbouring bytes of one word: two memory locations, no race.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>

static struct {
    char left;
    char right;
} bytes;

static void *write_left(void *unused)
{
    (void)unused;
    bytes.left = 1;
    return NULL;
}

static void *write_right(void *unused)
{
    (void)unused;
    bytes.right = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, write_left, NULL);
    pthread_create(&b, NULL, write_right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bytes.left == 1 && bytes.right == 2);
    return 0;
}

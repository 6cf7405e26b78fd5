// What comes out of a pipe was put in before: pipes within a program are not followed.
// expect: assert=unknown race=unknown

#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2], data;

static void *worker(void *unused)
{
    (void)unused;
    data = 1;
    write(ends[1], "!", 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    char byte;
    if (pipe(ends))
        return 0;
    pthread_create(&thread, NULL, worker, NULL);
    if (read(ends[0], &byte, 1) == 1)
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}

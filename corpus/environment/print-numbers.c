// Printing numbers is nothing that other threads can see.
// expect: default=safe
// executions: 1

#include <pthread.h>
#include <stdio.h>

static void *count(void *name)
{
    for (int i = 0; i < 3; i++)
        printf("%s %d\n", (const char *)name, i);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, count, "first");
    pthread_create(&second, 0, count, "second");
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}

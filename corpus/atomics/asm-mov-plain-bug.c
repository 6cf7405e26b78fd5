// A flag that is set by a mov in assembly and read by a plain access in C: the plain access races.
// expect: race=unsafe

#include <pthread.h>
#include <stddef.h>

static int flag;

static void *setter(void *unused)
{
    (void)unused;
    __asm__ volatile("movl $1, %0" : "=m"(flag) : : "memory"); //~ race
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, setter, NULL);
    int seen = flag; //~ race
    pthread_join(thread, NULL);
    return seen > 1;
}

// A ticket lock whose tickets are drawn by xadd.
// expect: default=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static unsigned next_ticket;
static _Atomic unsigned serving;
static int counter;

static unsigned draw(unsigned *at)
{
    unsigned ticket = 1;
    __asm__ volatile("lock xaddl %0, %1" : "+r"(ticket), "+m"(*at) : : "memory", "cc");
    return ticket;
}

static void *worker(void *unused)
{
    (void)unused;
    unsigned ticket = draw(&next_ticket);
    while (serving != ticket)
        ;
    counter++;
    serving = ticket + 1;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(counter == 2 && next_ticket == 2);
    return 0;
}

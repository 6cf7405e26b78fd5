// Two threads that wake at different words, where nobody waits, before and after they write: that orders nothing, so they race.
// expect: race=unsafe

#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int words[2];
static int last;

static void *worker(void *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    last = word == &words[0]; //~ race
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &words[0]);
    worker(&words[1]);
    pthread_join(thread, NULL);
    return 0;
}

// A C11 thread that has not started when the program ends leaves nothing behind.
// expect: default=safe cleanup=safe leak=safe
#include <stddef.h>
#include <threads.h>

mtx_t mutex;
int count;

int work(void *unused) {
    mtx_lock(&mutex);
    count++;
    mtx_unlock(&mutex);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&mutex, mtx_plain);
    if (thrd_create(&thread, work, NULL) == thrd_success) thrd_detach(thread);
    return 0;
}

// A computed goto to an address that another thread may not have set yet.
// expect: memory=unsafe race=unsafe assert=safe
// final-states: 1

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void *target;
static void *const *labels;

static void *chooser(void *unused)
{
    (void)unused;
    target = labels[1]; //~ race
    return NULL;
}

int main(void)
{
    void *table[] = {&&start, &&end};
    pthread_t thread;
    assert(&&start != &&end);
    labels = table;
start:
    pthread_create(&thread, NULL, chooser, NULL);
    goto *target; //~ memory race
end:
    pthread_join(thread, NULL);
    return 0;
}

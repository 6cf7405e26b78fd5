// A variable that is defined nowhere can be pointed to, by initial values and by threads.
// expect: default=safe
// analysis: proves
#include <assert.h>
#include <pthread.h>

extern struct module this_module;
extern int missing;
static struct { struct module *owner; int *number; } driver = {&this_module, &missing};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int found;

static void *find(void *owner) {
    pthread_mutex_lock(&lock);
    found += owner == driver.owner;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, find, &this_module);
    find(driver.number);
    pthread_join(thread, 0);
    assert(found == 1);
}

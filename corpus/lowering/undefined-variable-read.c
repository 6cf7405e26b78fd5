// What stands in a variable that is defined nowhere is not known, however it is reached.
// expect: assert=unknown race=unknown memory=unknown
#include <assert.h>
#include <pthread.h>

extern int missing;
static int *number = &missing;
static int races;

static void *use(void *unused) {
    if (*number) {
        races++;
        assert(0);
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    use(0);
    pthread_join(thread, 0);
}

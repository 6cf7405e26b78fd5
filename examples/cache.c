// A cache that is filled by whoever needs it first. Looking at `ready` before
// taking the lock saves the lock once the cache is full; but nothing orders that
// look with the thread that fills the cache.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int width, height;
};

static struct settings *cache;
static int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *load(void) {
    struct settings *settings = malloc(sizeof *settings);
    settings->width = 80;
    settings->height = 25;
    return settings;
}

static struct settings *get(void) {
    if (!ready) {
        pthread_mutex_lock(&lock);
        if (!ready) {
            ready = 1;
            cache = load();
        }
        pthread_mutex_unlock(&lock);
    }
    return cache;
}

static void *draw(void *unused) {
    assert(get()->width == 80);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, draw, 0);
    pthread_create(&b, 0, draw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    free(cache);
    return 0;
}

// The cache with an atomic pointer that says itself whether it is ready: it is
// published when all behind it is written, and read so that this is seen.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct settings {
    int width, height;
};

static struct settings *_Atomic cache;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct settings *load(void) {
    struct settings *settings = malloc(sizeof *settings);
    settings->width = 80;
    settings->height = 25;
    return settings;
}

static struct settings *get(void) {
    struct settings *settings = atomic_load(&cache);
    if (!settings) {
        pthread_mutex_lock(&lock);
        settings = atomic_load(&cache);
        if (!settings) {
            settings = load();
            atomic_store(&cache, settings);
        }
        pthread_mutex_unlock(&lock);
    }
    return settings;
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
    free(atomic_load(&cache));
    return 0;
}

// Every way to allocate may fail, and is followed by a test; a failure is told in errno.
// options: --malloc-may-fail
// expect: default=safe cleanup=safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void *checked(void *memory) {
    if (!memory) {
        assert(errno == ENOMEM);
        failures++;
    }
    return memory;
}

static void *worker(void *arg) {
    int *number = checked(malloc(sizeof *number));
    if (number) *number = 1;
    free(number);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);

    char *zeroed = checked(calloc(2, 2));
    assert(!zeroed || zeroed[3] == 0);
    char *larger = checked(realloc(zeroed, 8));
    if (larger)
        larger[7] = 1;
    else if (zeroed)
        assert(zeroed[3] == 0);
    free(larger ? larger : zeroed);

    char *copy = checked(strdup("a"));
    assert(!copy || copy[0] == 'a');
    free(copy);

    void *aligned = checked(aligned_alloc(64, 64));
    free(aligned);
    if (posix_memalign(&aligned, 64, 64) == 0) free(aligned);

    char *text;
    if (asprintf(&text, "%d", failures) >= 0) free(text);
    return 0;
}

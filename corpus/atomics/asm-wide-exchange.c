// A pointer and its version are exchanged together by cmpxchg16b: who was too late notices.
// expect: default=safe
// final-states: 2

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct versioned {
    uint64_t value, version;
} __attribute__((aligned(16)));

static struct versioned shared;
static _Atomic int done;

static bool exchange(struct versioned *at, struct versioned *expected, struct versioned wanted)
{
    bool equal;
    __asm__ volatile("lock cmpxchg16b %1\n\t"
                     "setz %0"
                     : "=q"(equal), "+m"(*at), "+a"(expected->value), "+d"(expected->version)
                     : "b"(wanted.value), "c"(wanted.version)
                     : "memory", "cc");
    return equal;
}

static void *worker(void *value)
{
    struct versioned expected = {0, 0};
    struct versioned wanted = {(uintptr_t)value, 1};
    if (exchange(&shared, &expected, wanted))
        done++;
    else
        assert(expected.value != wanted.value && expected.version == 1);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, (void *)7);
    worker((void *)0xffff00000008);
    pthread_join(thread, NULL);
    assert(done == 1 && shared.version == 1);
    return 0;
}

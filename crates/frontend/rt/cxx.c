/* The C++ run-time: memory, static locals, destructors, termination. The
 * names are the mangled ones; `SIZE` is the letter of size_t. */
#include <pthread.h>

#include "rt.h"

#define JOIN(a, b, c) a##b##c
#define NAME(a, b, c) JOIN(a, b, c)
#if __SIZEOF_POINTER__ == 8
#define SIZE m
#else
#define SIZE j
#endif

/* Operators that would throw do not fail. */
void *NAME(_Znw, SIZE, )(size_t size) { return __tp_new(size); }
void *NAME(_Zna, SIZE, )(size_t size) { return __tp_new(size); }
void *NAME(_Znw, SIZE, RKSt9nothrow_t)(size_t size, void *nothrow) { return __tp_malloc(size); }
void *NAME(_Zna, SIZE, RKSt9nothrow_t)(size_t size, void *nothrow) { return __tp_malloc(size); }
void *NAME(_Znw, SIZE, St11align_val_t)(size_t size, size_t align) { return __tp_aligned_new(size, align); }
void *NAME(_Zna, SIZE, St11align_val_t)(size_t size, size_t align) { return __tp_aligned_new(size, align); }
void *NAME(_Znw, SIZE, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, void *nothrow) {
    return __tp_aligned_malloc(size, align);
}
void *NAME(_Zna, SIZE, St11align_val_tRKSt9nothrow_t)(size_t size, size_t align, void *nothrow) {
    return __tp_aligned_malloc(size, align);
}
void _ZdlPv(void *pointer) { free(pointer); }
void _ZdaPv(void *pointer) { free(pointer); }
void _ZdlPvRKSt9nothrow_t(void *pointer, void *nothrow) { free(pointer); }
void _ZdaPvRKSt9nothrow_t(void *pointer, void *nothrow) { free(pointer); }
void _ZdlPvSt11align_val_t(void *pointer, size_t align) { free(pointer); }
void _ZdaPvSt11align_val_t(void *pointer, size_t align) { free(pointer); }

/* Where the compiler says the size of what goes back. It goes to the operator
 * without a size if the program has one of its own. */
void NAME(_ZdlPv, SIZE, )(void *pointer, size_t size) {
    if (__tp_is_own(_ZdlPv)) _ZdlPv(pointer);
    else __tp_free_sized(pointer, size);
}
void NAME(_ZdaPv, SIZE, )(void *pointer, size_t size) {
    if (__tp_is_own(_ZdaPv)) _ZdaPv(pointer);
    else __tp_free_sized(pointer, size);
}
void NAME(_ZdlPv, SIZE, St11align_val_t)(void *pointer, size_t size, size_t align) {
    if (__tp_is_own(_ZdlPvSt11align_val_t)) _ZdlPvSt11align_val_t(pointer, align);
    else __tp_free_sized(pointer, size);
}
void NAME(_ZdaPv, SIZE, St11align_val_t)(void *pointer, size_t size, size_t align) {
    if (__tp_is_own(_ZdaPvSt11align_val_t)) _ZdaPvSt11align_val_t(pointer, align);
    else __tp_free_sized(pointer, size);
}

/* A static local's guard: the first byte says "done", the second half is the
 * once object that lets one thread in. */
int __cxa_guard_acquire(char *guard) { return __tp_once_begin(guard + 4); }

void __cxa_guard_release(char *guard) {
    __atomic_store_n(guard, 1, __ATOMIC_RELEASE);
    __tp_once_end(guard + 4);
}

void __cxa_guard_abort(char *guard) { __tp_unsupported("C++ exception"); }

void __cxa_pure_virtual(void) { __tp_fail("call of a pure virtual function"); }
void __cxa_deleted_virtual(void) { __tp_fail("call of a deleted virtual function"); }
void _ZSt9terminatev(void) { __tp_fail("std::terminate was called"); }
void __cxa_bad_cast(void) { __tp_unsupported("C++ exception"); }

/* Destructors of thread-local objects run when the thread ends, and before the
 * exit handlers in the thread that calls exit. */
struct ending {
    void (*function)(void *);
    void *object;
    struct ending *next;
};

static pthread_key_t ending_key;
static pthread_once_t ending_once = PTHREAD_ONCE_INIT;
static _Thread_local int has_endings;

static void run_endings(void *list) {
    struct ending *ending = list;
    while (ending) {
        struct ending *next = ending->next;
        ending->function(ending->object);
        free(ending);
        ending = next;
    }
}

int __cxa_thread_atexit(void (*function)(void *), void *object, void *library) {
    if (__tp_once_begin(&ending_once)) {
        pthread_key_create(&ending_key, run_endings);
        __tp_once_end(&ending_once);
    }
    struct ending *ending = __tp_new(sizeof *ending);
    ending->function = function;
    ending->object = object;
    ending->next = pthread_getspecific(ending_key);
    pthread_setspecific(ending_key, ending);
    has_endings = 1;
    return 0;
}

/* A destructor may make further thread-local objects. */
void __tp_end_thread_locals(void) {
    while (has_endings) {
        has_endings = 0;
        struct ending *list = pthread_getspecific(ending_key);
        pthread_setspecific(ending_key, 0);
        run_endings(list);
    }
}

/* What is thrown ends the search there, so nothing is on its way. */
_Bool _ZSt18uncaught_exceptionv(void) { return 0; }
int _ZSt19uncaught_exceptionsv(void) { return 0; }

char __libc_single_threaded = 0;

/* Streams have no effect. */
void _ZNSt8ios_base4InitC1Ev(void *init) {}
void _ZNSt8ios_base4InitD1Ev(void *init) {}

/* std::allocator<char> has no state. */
void _ZNSaIcEC1Ev(void *allocator) {}
void _ZNSaIcEC2Ev(void *allocator) {}
void _ZNSaIcEC1ERKS_(void *allocator, void *other) {}
void _ZNSaIcEC2ERKS_(void *allocator, void *other) {}
void _ZNSaIcED1Ev(void *allocator) {}
void _ZNSaIcED2Ev(void *allocator) {}

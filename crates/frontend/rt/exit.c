/* Exit handlers, run in reverse order by exit and after main. */
#include <pthread.h>

#include "rt.h"

#define MAX_HANDLERS 64

struct handler {
    void (*function)(void *);
    void *argument;
};

static struct handler handlers[MAX_HANDLERS];
static int handler_count;
static pthread_mutex_t handlers_lock = PTHREAD_MUTEX_INITIALIZER;

/* Where main has left by pthread_exit, the last thread runs the handlers. */
#define LEFT "pthread_exit of main in a program with exit handlers"
static _Thread_local int in_main;
static int main_left;

void __tp_enter_main(void) { in_main = 1; }

/* A thread calls this before it ends by pthread_exit. */
void __tp_check_exit_handlers(int has_destructors) {
    if (!in_main) return;
    pthread_mutex_lock(&handlers_lock);
    main_left = 1;
    if (has_destructors || handler_count) __tp_unsupported(LEFT);
    pthread_mutex_unlock(&handlers_lock);
}

int __cxa_atexit(void (*function)(void *), void *argument, void *library) {
    pthread_mutex_lock(&handlers_lock);
    if (main_left) __tp_unsupported(LEFT);
    if (handler_count == MAX_HANDLERS) __tp_unsupported("more than 64 exit handlers");
    handlers[handler_count].function = function;
    handlers[handler_count].argument = argument;
    handler_count++;
    pthread_mutex_unlock(&handlers_lock);
    return 0;
}

static void call(void *function) { ((void (*)(void))function)(); }

int atexit(void (*function)(void)) { return __cxa_atexit(call, (void *)function, 0); }

/* Handlers of quick_exit. */
static void (*quick_handlers[MAX_HANDLERS])(void);
static int quick_count;

int at_quick_exit(void (*function)(void)) {
    pthread_mutex_lock(&handlers_lock);
    if (quick_count == MAX_HANDLERS) __tp_unsupported("more than 64 exit handlers");
    quick_handlers[quick_count++] = function;
    pthread_mutex_unlock(&handlers_lock);
    return 0;
}

void quick_exit(int code) {
    for (;;) {
        pthread_mutex_lock(&handlers_lock);
        void (*function)(void) = quick_count ? quick_handlers[--quick_count] : 0;
        pthread_mutex_unlock(&handlers_lock);
        if (!function) __tp_exit(code);
        function();
    }
}

static int take(struct handler *handler) {
    pthread_mutex_lock(&handlers_lock);
    int any = handler_count > 0;
    if (any) *handler = handlers[--handler_count];
    pthread_mutex_unlock(&handlers_lock);
    return any;
}

void __tp_run_exit_handlers(void) {
    struct handler handler;
    __tp_end_thread_locals();
    while (take(&handler)) handler.function(handler.argument);
}

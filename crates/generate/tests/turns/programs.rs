//! Programs in which threads are alike, and it looks as if it made no difference which of them begins.

/// What all programs begin with.
pub const HEAD: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
int n, m, x, y, done;
atomic_int a, b;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_t t[4];
#define START(i, f, arg) pthread_create(&t[i], 0, f, arg)
#define JOIN(i) pthread_join(t[i], 0)
";

/// Each with what it shows.
pub const PROGRAMS: &[(&str, &str)] = &[
    (
        "only the one that was started first is joined, and it need not be the first to begin",
        "void *f(void *u) { if (a++ == 0) done = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); assert(done); return 0; }",
    ),
    (
        "only the one that was started last is joined",
        "void *f(void *u) { if (a++ == 1) x = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(1); assert(!x); return 0; }",
    ),
    (
        "main does something between two joins that the others see",
        "void *f(void *u) { if (a++ == 1) assert(!b); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); b = 1; JOIN(1); return 0; }",
    ),
    (
        "a thread ends only because main has joined another one",
        "void *f(void *u) { if (a++ == 0) while (!b) {} return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(1); b = 1; JOIN(0); assert(a == 2); return 0; }",
    ),
    (
        "main holds a lock while it joins",
        "void *f(void *u) { if (a++ == 0) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); } return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); pthread_mutex_lock(&lock); JOIN(0);
           pthread_mutex_unlock(&lock); JOIN(1); return 0; }",
    ),
    (
        "the first to begin is told from the others by its identifier",
        "pthread_t first;
         void *f(void *u) { pthread_mutex_lock(&lock); if (!n++) first = pthread_self();
           pthread_mutex_unlock(&lock); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1);
           assert(pthread_equal(first, t[0])); return 0; }",
    ),
    (
        "results are told apart",
        "void *f(void *u) { return a++ == 0 ? (void *)1 : u; }
         int main(void) { void *r; START(0, f, 0); START(1, f, 0); pthread_join(t[0], &r); JOIN(1);
           assert(r); return 0; }",
    ),
    (
        "one is joined twice, but only if the other was first",
        "void *f(void *u) { if (a++ == 0) b = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); if (b) JOIN(1); else JOIN(0); return 0; }",
    ),
    (
        "threads detach themselves",
        "void *f(void *u) { pthread_detach(pthread_self()); int i = a++; if (i == 1) x = i; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); assert(!x); return 0; }",
    ),
    (
        "some are started as detached ones",
        "void *f(void *u) { int i = a++; if (i == 1) x = 1; if (i == 2) assert(!x); return u; }
         int main(void) { pthread_attr_t d; pthread_attr_init(&d);
           pthread_attr_setdetachstate(&d, PTHREAD_CREATE_DETACHED);
           pthread_create(&t[0], &d, f, 0); START(1, f, 0); pthread_create(&t[2], &d, f, 0);
           pthread_exit(0); }",
    ),
    (
        "threads that are alike are started by threads that are alike",
        "void *g(void *u) { int i = a++; pthread_mutex_lock(&lock); n = 3 * n + i + 1;
           pthread_mutex_unlock(&lock); return u; }
         void *f(void *u) { pthread_t own; if (b++ == 0) x = 1; pthread_create(&own, 0, g, 0); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); pthread_exit(0); }",
    ),
    (
        "a thread starts one that is like itself",
        "void *f(void *u) { pthread_t own; int i = a++; if (i < 2) pthread_create(&own, 0, f, 0);
           pthread_mutex_lock(&lock); n = 4 * n + i; pthread_mutex_unlock(&lock); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); pthread_exit(0); }",
    ),
    (
        "different threads start threads that are alike, one after it has changed something",
        "void *g(void *u) { if (a++ == 0) y = b; return u; }
         void *f(void *u) { pthread_t own; if (u) b = 1; pthread_create(&own, 0, g, 0); return u; }
         int main(void) { START(0, f, 0); START(1, f, &n); pthread_exit(0); }",
    ),
    (
        "arguments that are equal, but of which one is another object by then",
        "void *f(void *u) { int *p = u; pthread_mutex_lock(&lock); n += ++*p; pthread_mutex_unlock(&lock); return 0; }
         int main(void) { int *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
           START(0, f, p); START(1, f, q); START(2, f, p); JOIN(0); JOIN(1); JOIN(2);
           x = 10 * *p + *q; free(p); free(q); return 0; }",
    ),
    (
        "variables that each thread has its own of",
        "_Thread_local int own; int *all[3];
         void *f(void *u) { own = a++; all[own] = &own; pthread_mutex_lock(&lock); n = 3 * n + own;
           pthread_mutex_unlock(&lock); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); JOIN(0); JOIN(1); JOIN(2);
           assert(all[0] != all[1] && n != 5); return 0; }",
    ),
    (
        "values of keys, with a destructor",
        "pthread_key_t key;
         void end(void *p) { x = 2 * x + (p == &n); }
         void *f(void *u) { pthread_setspecific(key, a++ ? &m : &n); return u; }
         int main(void) { pthread_key_create(&key, end); START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1);
           assert(x != 1); return 0; }",
    ),
    (
        "all wait for a lock with their first step, and it is never given back",
        "void *f(void *u) { pthread_mutex_lock(&lock); n++; pthread_mutex_unlock(&lock); return u; }
         int main(void) { pthread_mutex_lock(&lock); START(0, f, 0); START(1, f, 0);
           if (a) pthread_mutex_unlock(&lock); pthread_exit(0); }",
    ),
    (
        "the first to come keeps the lock",
        "void *f(void *u) { pthread_mutex_lock(&lock); if (n++) pthread_mutex_unlock(&lock); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1); return 0; }",
    ),
    (
        "the process ends while some have not begun",
        "void *f(void *u) { if (a++ == 1) assert(x); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); x = 1; return 0; }",
    ),
    (
        "one of the threads ends the process",
        "void *f(void *u) { if (a++ == 1) exit(x); x++; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); JOIN(0); JOIN(1); JOIN(2);
           assert(x == 3); return 0; }",
    ),
    (
        "the invisible beginning is long, and of two functions that take turns",
        "void *f(void *u) { int s = 0; for (int i = 0; i < 5; i++) s += i; n = 2 * n + (s == 10) * a++; return u; }
         void *g(void *u) { int s[2] = {0, 1}; m = m + s[1]; a = 7; return u; }
         int main(void) { START(0, f, 0); START(1, g, 0); START(2, f, 0); START(3, g, 0);
           JOIN(0); JOIN(1); JOIN(2); JOIN(3); assert(m == 2); return 0; }",
    ),
    (
        "begins with reading its argument, which somebody changes",
        "void *f(void *u) { int i = *(int *)u; a += i; if (a == 3) x = 1; return 0; }
         int main(void) { START(0, f, &n); START(1, f, &n); n = 2; START(2, f, &n); n = 1;
           JOIN(0); JOIN(1); JOIN(2); return 0; }",
    ),
    (
        "one thread races with main, if it is not the first",
        "void *f(void *u) { if (a++ == 1) x = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); if (a == 2) x = 2; pthread_exit(0); }",
    ),
    (
        "a race between two that are alike",
        "void *f(void *u) { if (a++ > 0) x++; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); JOIN(0); JOIN(1); JOIN(2); return 0; }",
    ),
    (
        "main does something between two starts, and only the second to begin races with it",
        "void *f(void *u) { if (atomic_fetch_add_explicit(&a, 1, memory_order_relaxed) == 1) y = x; return u; }
         int main(void) { START(0, f, 0); x = 1; START(1, f, 0); JOIN(0); JOIN(1); return 0; }",
    ),
    (
        "which of several a signal wakes",
        "void *f(void *u) { pthread_mutex_lock(&lock); int i = n++; while (!x) pthread_cond_wait(&cond, &lock);
           x = 0; y = 3 * y + i; pthread_mutex_unlock(&lock); return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); pthread_mutex_lock(&lock); x = 1;
           pthread_cond_signal(&cond); pthread_mutex_unlock(&lock); pthread_mutex_lock(&lock); x = 1;
           pthread_cond_signal(&cond); pthread_mutex_unlock(&lock); pthread_exit(0); }",
    ),
    (
        "a barrier tells one of them",
        "pthread_barrier_t barrier;
         void *f(void *u) { int i = a++; if (pthread_barrier_wait(&barrier)) x = i + 1; return u; }
         int main(void) { pthread_barrier_init(&barrier, 0, 2); START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1);
           assert(x == 2); return 0; }",
    ),
    (
        "all wait in a loop for the first to come",
        "void *f(void *u) { if (a++ == 0) b = 1; while (!b) {} return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); JOIN(0); JOIN(1); JOIN(2);
           assert(a == 3); return 0; }",
    ),
    (
        "all begin in a loop in which nothing happens, and main lets one after the other go",
        "void *f(void *u) { while (atomic_load(&b) == 0) {} if (a++ == 1) x = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); b = 1; assert(!x); pthread_exit(0); }",
    ),
    (
        "shared locks, which keep a thread from one that is alone",
        "pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
         void *f(void *u) { pthread_rwlock_rdlock(&rw); int i = x; pthread_rwlock_unlock(&rw); a += i; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); pthread_rwlock_wrlock(&rw); x = 1;
           pthread_rwlock_unlock(&rw); JOIN(0); JOIN(1); assert(a < 2); return 0; }",
    ),
    (
        "an attempt to lock, with which they begin",
        "void *f(void *u) { if (pthread_mutex_trylock(&lock)) a++; else { n++; pthread_mutex_unlock(&lock); } return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); START(2, f, 0); JOIN(0); JOIN(1); JOIN(2);
           assert(a < 2); return 0; }",
    ),
    (
        "two rounds of threads that are alike, with something in between",
        "void *f(void *u) { int i = a++; if (i == 2) b = x; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1); x = 1;
           START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1); assert(b); return 0; }",
    ),
    (
        "the second round leaves one out",
        "void *f(void *u) { int i = a++; if (i == 2) b = 1; return u; }
         int main(void) { START(0, f, 0); START(1, f, 0); JOIN(0); JOIN(1);
           START(0, f, 0); START(1, f, 0); JOIN(0); assert(b); JOIN(1); return 0; }",
    ),
    (
        "handles in memory that one of the threads reaches",
        "void *f(void *u) { pthread_mutex_lock(&lock); int i = n++; pthread_mutex_unlock(&lock);
           if (i == 1) pthread_detach(t[1]); return u; }
         int main(void) { pthread_mutex_lock(&lock); START(0, f, 0); START(1, f, 0);
           pthread_mutex_unlock(&lock); pthread_exit(0); }",
    ),
];

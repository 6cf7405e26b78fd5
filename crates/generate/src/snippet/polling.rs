//! Locks, semaphores and barriers that are tried rather than waited for.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "while (sem_trywait(&tokens)) sched_yield();",
        "sem_post(&tokens);",
        "sem_post(&tokens);",
        "sem_wait(&tokens);",
        "{ int count; sem_getvalue(&tokens, &count); $a = count; }",
        "$a = sem_timedwait(&tokens, SOON) == 0;",
        "$a = pthread_barrier_wait(&meeting) == PTHREAD_BARRIER_SERIAL_THREAD;",
        "$a = pthread_barrier_wait(&two) == PTHREAD_BARRIER_SERIAL_THREAD;",
        "{ while (pthread_mutex_trylock(&m0)) sched_yield(); $body pthread_mutex_unlock(&m0); }",
        "if (pthread_mutex_trylock(&m0) == 0) { $body pthread_mutex_unlock(&m0); } else $a = 3;",
        "if (pthread_rwlock_tryrdlock(&rw) == 0) { $body pthread_rwlock_unlock(&rw); } else $a = 3;",
        "if (pthread_rwlock_trywrlock(&rw) == 0) { $body pthread_rwlock_unlock(&rw); } else $a = 3;",
        "if (pthread_rwlock_timedrdlock(&rw, SOON) == 0) { $body pthread_rwlock_unlock(&rw); }",
        "if (pthread_rwlock_timedwrlock(&rw, SOON) == 0) { $body pthread_rwlock_unlock(&rw); }",
        "pthread_rwlock_rdlock(&rw); $a = pthread_rwlock_trywrlock(&rw) == 0; $body pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_rdlock(&rw); pthread_rwlock_rdlock(&rw); $body pthread_rwlock_unlock(&rw); \
         pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); $body pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_wrlock(&rw); x0 += $k; pthread_rwlock_unlock(&rw);",
        "pthread_rwlock_rdlock(&rw); $a = x0; pthread_rwlock_unlock(&rw);",
        "if (pthread_spin_trylock(&spin) == 0) { $body pthread_spin_unlock(&spin); } else $a = 3;",
        "for (int i$i = 0; i$i < 2 && a0 != $k; i$i++) sched_yield();",
        "{ int old = 0; while (!atomic_compare_exchange_weak(&guard, &old, 1)) { old = 0; sched_yield(); } $body \
         guard = 0; }",
        "while (atomic_flag_test_and_set(&flag)) sched_yield(); x1 += $k; atomic_flag_clear(&flag);",
        "while (atomic_flag_test_and_set(&flag)) sched_yield(); $a = x1; atomic_flag_clear(&flag);",
    ],
    objects: &[
        ("tokens", "sem_t tokens;", ""),
        ("meeting", "pthread_barrier_t meeting;", ""),
        ("&two", "pthread_barrier_t two;", ""),
        ("guard", "_Atomic int guard;", "guard"),
        ("&flag", "atomic_flag flag = ATOMIC_FLAG_INIT;", ""),
    ],
    set_up: &[
        ("tokens", "sem_init(&tokens, 0, 1);"),
        ("meeting", "pthread_barrier_init(&meeting, 0, THREADS);"),
        ("&two", "pthread_barrier_init(&two, 0, 2);"),
    ],
};

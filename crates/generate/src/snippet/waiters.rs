//! Conditions on which several threads wait.

use super::Snippets;

pub(super) const SNIPPETS: Snippets = Snippets {
    code: &[
        "pthread_mutex_lock(&door); while (tickets == 0) pthread_cond_wait(&some, &door); tickets--; \
         pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); while (tickets == 0) pthread_cond_wait(&some, &door); $a = tickets--; \
         pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); if (tickets == 0) pthread_cond_wait(&some, &door); tickets--; \
         $a = tickets < 0; pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); tickets++; pthread_cond_signal(&some); pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); tickets++; pthread_mutex_unlock(&door); pthread_cond_signal(&some);",
        "pthread_mutex_lock(&door); tickets += 2; pthread_cond_broadcast(&some); pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); tickets += 2; pthread_cond_signal(&some); pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); while (whose != $k - 1) pthread_cond_wait(&some, &door); whose = 2 - $k; \
         pthread_cond_broadcast(&some); pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); while (whose != $k - 1) pthread_cond_wait(&other, &door); whose = 2 - $k; \
         pthread_cond_signal(&other); $body pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&door); whose ^= 1; pthread_cond_signal(&other); pthread_mutex_unlock(&door);",
        "{ int late = 0; pthread_mutex_lock(&door); while (!tickets && !late) \
         late = pthread_cond_timedwait(&some, &door, SOON); if (!late) tickets--; pthread_mutex_unlock(&door); \
         $a = late != 0; }",
        "pthread_mutex_lock(&door); if (!tickets) pthread_cond_timedwait(&some, &door, SOON); $a = tickets; \
         pthread_mutex_unlock(&door);",
        "pthread_mutex_lock(&twice); pthread_mutex_lock(&twice); while (!opened) pthread_cond_wait(&often, &twice); \
         $a = opened; pthread_mutex_unlock(&twice); pthread_mutex_unlock(&twice);",
        "pthread_mutex_lock(&twice); opened = 1; pthread_cond_signal(&often); pthread_mutex_unlock(&twice);",
        "pthread_mutex_lock(&door); tickets = 1; $body pthread_cond_broadcast(&some); pthread_mutex_unlock(&door);",
    ],
    objects: &[
        ("door", "pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;", ""),
        ("tickets", "int tickets;", "tickets"),
        ("whose", "int whose;", "whose"),
        ("&some", "pthread_cond_t some = PTHREAD_COND_INITIALIZER;", ""),
        ("&other", "pthread_cond_t other = PTHREAD_COND_INITIALIZER;", ""),
        ("&often", "pthread_cond_t often = PTHREAD_COND_INITIALIZER;", ""),
        ("opened", "int opened;", "opened"),
        ("twice", "pthread_mutex_t twice;", ""),
    ],
    set_up: &[(
        "twice",
        "pthread_mutexattr_t nested;\n    pthread_mutexattr_init(&nested);\n    \
         pthread_mutexattr_settype(&nested, PTHREAD_MUTEX_RECURSIVE);\n    \
         pthread_mutex_init(&twice, &nested);",
    )],
};

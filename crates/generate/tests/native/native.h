/* Included before a generated program that runs natively. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

/* Delays the calling thread by chance. */
void linger(void);

/* A moment that is near, or past. */
struct timespec *soon_from_now(void);

#define SOON soon_from_now()
#define pthread_mutex_lock(m) (linger(), pthread_mutex_lock(m))
#define pthread_mutex_unlock(m) (linger(), pthread_mutex_unlock(m))
#define pthread_mutex_trylock(m) (linger(), pthread_mutex_trylock(m))
#define pthread_cond_wait(c, m) (linger(), pthread_cond_wait(c, m))
#define pthread_cond_timedwait(c, m, t) (linger(), pthread_cond_timedwait(c, m, t))
#define pthread_cond_signal(c) (linger(), pthread_cond_signal(c))
#define pthread_cond_broadcast(c) (linger(), pthread_cond_broadcast(c))
#define pthread_rwlock_rdlock(l) (linger(), pthread_rwlock_rdlock(l))
#define pthread_rwlock_wrlock(l) (linger(), pthread_rwlock_wrlock(l))
#define pthread_rwlock_unlock(l) (linger(), pthread_rwlock_unlock(l))
#define sem_wait(s) (linger(), sem_wait(s))
#define sem_trywait(s) (linger(), sem_trywait(s))
#define sem_post(s) (linger(), sem_post(s))

// A disk block that is protected by one of two locks, depending on a bit (Figure 10).
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

pthread_mutex_t m_inode = PTHREAD_MUTEX_INITIALIZER, m_busy = PTHREAD_MUTEX_INITIALIZER;
int inode, busy, block;

void *allocate(void *unused) {
  FOREVER {
    pthread_mutex_lock(&m_inode);
    if (!inode) {
      pthread_mutex_lock(&m_busy);
      busy = 1;
      pthread_mutex_unlock(&m_busy);
      inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&m_inode);
    tp_progress();
  }
  return unused;
}

void *reset(void *unused) {
  FOREVER {
    pthread_mutex_lock(&m_busy);
    if (!busy) {
      block = 0;
      assert(block == 0);
      tp_progress();
    }
    pthread_mutex_unlock(&m_busy);
  }
  return unused;
}

void *release(void *unused) {
  FOREVER {
    pthread_mutex_lock(&m_inode);
    pthread_mutex_lock(&m_busy);
    inode = 0;
    busy = 0;
    pthread_mutex_unlock(&m_busy);
    pthread_mutex_unlock(&m_inode);
    tp_progress();
  }
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, allocate, 0);
  pthread_create(&b, 0, reset, 0);
  pthread_create(&c, 0, release, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
  return 0;
}

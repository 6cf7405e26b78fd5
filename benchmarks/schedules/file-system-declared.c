// The file system without locks: what must hold is declared (Figures 11 and 12), and a
// schedule makes it hold. With SKIP, the second thread may find nothing to do.
#include <pthread.h>
#include <threadproof.h>

#ifdef ROUNDS
#define FOREVER for (int round = 0; round < ROUNDS; round++)
#else
#define FOREVER while (1)
#endif

int inode, busy, block;

void *allocate(void *unused) {
  FOREVER {
    if (!inode) {
      busy = 1;
      inode = 1;
    }
    tp_atomic_begin();
    tp_assume(inode && busy);
    block = 1;
    tp_atomic_end();
    tp_progress();
  }
  return unused;
}

void *reset(void *unused) {
  FOREVER {
#ifdef SKIP
    if (!busy) {
#endif
      tp_atomic_begin();
      tp_assume(!busy);
      block = 0;
      tp_atomic_end();
      tp_progress();
#ifdef SKIP
    }
#endif
  }
  return unused;
}

void *release(void *unused) {
  FOREVER {
    tp_atomic_begin();
    tp_assume(inode == busy);
    inode = 0;
    busy = 0;
    tp_atomic_end();
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

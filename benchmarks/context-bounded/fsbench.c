// Each of THREADS threads looks for a free block for its file in a file
// system of INODES inodes and BLOCKS blocks, under locks for both. With -DBAD
// one thread too many reaches beyond the table of inodes.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 26
#endif
#define INODES 32
#define BLOCKS 26

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES];
static int busy[BLOCKS];

static void *create_file(void *arg) {
  int thread = (int)(long)arg;
#ifdef BAD
  int inode = thread + INODES - THREADS + 1;
#else
  int inode = thread % INODES;
#endif
  assert(inode < INODES);
  pthread_mutex_lock(&inode_locks[inode]);
  if (inodes[inode] == 0) {
    int block = (inode * 2) % BLOCKS;
    for (int i = 0; i < BLOCKS; i++) {
      pthread_mutex_lock(&block_locks[block]);
      if (!busy[block]) {
        busy[block] = 1;
        inodes[inode] = block + 1;
        pthread_mutex_unlock(&block_locks[block]);
        break;
      }
      pthread_mutex_unlock(&block_locks[block]);
      block = (block + 1) % BLOCKS;
    }
    assert(inodes[inode] > 0);
  }
  pthread_mutex_unlock(&inode_locks[inode]);
  return arg;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < INODES; i++)
    pthread_mutex_init(&inode_locks[i], 0);
  for (int i = 0; i < BLOCKS; i++)
    pthread_mutex_init(&block_locks[i], 0);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], 0, create_file, (void *)(long)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], 0);
  return 0;
}

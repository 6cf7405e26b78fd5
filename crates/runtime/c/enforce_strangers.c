/* Threads that were not created by the functions that the runtime replaces: by a system call, or
 * within a library. */
#include "enforce.h"

#include <dirent.h>

/* Whether a thread of the process has a number. One that ends still has its own. */
static bool tp_is_known(int kernel_id) {
  for (int thread = 0; thread < TP_THREADS; thread++)
    if (abs(atomic_load(&tp_lanes[thread].kernel_id)) == kernel_id) return true;
  return false;
}

/* Whether the kernel lists a thread that has no number. Nothing is allocated: the program may
 * have an allocator of its own. */
static bool tp_lists_unknown(int directory) {
  _Alignas(struct dirent64) char entries[2048];
  ssize_t length;
  while ((length = getdents64(directory, entries, sizeof entries)) > 0)
    for (ssize_t at = 0; at < length; at += ((struct dirent64 *)(entries + at))->d_reclen) {
      int kernel_id = atoi(((struct dirent64 *)(entries + at))->d_name);
      if (kernel_id > 0 && !tp_is_known(kernel_id)) return true;
    }
  return false;
}

/* A thread that is being created has no number yet: then nothing is said. Nor is it of a copy of
 * the process, in which only one thread is left. */
static bool tp_is_stranger_here(void) {
  int before, after;
  if (!tp_all_have_begun(&before) || getpid() != abs(atomic_load(&tp_lanes[0].kernel_id))) return false;
  int directory = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  bool unknown = tp_lists_unknown(directory);
  close(directory);
  return unknown && tp_all_have_begun(&after) && before == after;
}

void tp_look_for_strangers(uint32_t site) {
  if (tp_head()->threads == 0 || atomic_load(&tp_released)) return;
  int before = errno;
  if (tp_is_stranger_here()) tp_depart("a thread runs that the schedule does not know", site);
  errno = before;
}

/* What shares the memory and goes on beside the thread that calls is a thread, too. */
int clone(int (*function)(void *), void *stack, int flags, void *argument, ...) {
  static _Atomic(void *) known;
  int (*real)(int (*)(void *), void *, int, void *, ...) = tp_known(&known, "clone");
  va_list more;
  va_start(more, argument);
  pid_t *parent_id = va_arg(more, pid_t *);
  void *local = va_arg(more, void *);
  pid_t *child_id = va_arg(more, pid_t *);
  va_end(more);
  bool is_thread = (flags & CLONE_VM) && !(flags & CLONE_VFORK);
  if (is_thread && tp_head()->threads > 0 && tp_self >= 0)
    tp_depart("it starts a thread that the schedule does not know", TP_ELSEWHERE);
  return real(function, stack, flags, argument, parent_id, local, child_id);
}

/* Sleeping, waking, notes. */
#include "common.h"

__thread int tp_self = TP_STRANGER;

int tp_spins(void) {
  static atomic_int spins = -1;
  int known = atomic_load_explicit(&spins, memory_order_relaxed);
  if (known < 0) {
    known = sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 2000 : 0;
    atomic_store_explicit(&spins, known, memory_order_relaxed);
  }
  return known;
}

static long tp_futex(_Atomic uint32_t *word, int operation, uint32_t value) {
  return syscall(SYS_futex, word, operation | FUTEX_PRIVATE_FLAG, value, NULL, NULL, 0);
}

void tp_await_change(_Atomic uint32_t *word, uint32_t value) {
  for (int left = tp_spins(); left > 0; left--) {
    if (atomic_load_explicit(word, memory_order_acquire) != value) return;
    tp_relax();
  }
  int before = errno;
  while (atomic_load_explicit(word, memory_order_acquire) == value) tp_futex(word, FUTEX_WAIT, value);
  errno = before;
}

void tp_wake(_Atomic uint32_t *word) {
  int before = errno;
  tp_futex(word, FUTEX_WAKE, INT_MAX);
  errno = before;
}

void tp_note(const char *format, ...) {
  static atomic_int file = -1;
  int fd = atomic_load(&file);
  if (fd < 0) {
    const char *path = getenv("THREADPROOF_NOTES");
    fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : 2;
    atomic_store(&file, fd);
  }
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (length > (int)sizeof line - 1) length = sizeof line - 1;
  if (length > 0 && write(fd, line, length) < 0) return;
}

void *tp_real(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) {
    tp_note("missing %s\n", name);
    _exit(TP_DEPARTED);
  }
  return found;
}

/* The state of a thread as the kernel tells it; 0 if there is no such thread. */
static char tp_state(int kernel_id) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", kernel_id);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t length = read(fd, text, sizeof text - 1);
  close(fd);
  if (length <= 0) return 0;
  text[length] = 0;
  char *end = strrchr(text, ')');
  return end && end[1] == ' ' ? end[2] : 0;
}

bool tp_sleeps(int kernel_id) {
  return tp_state(kernel_id) == 'S';
}

bool tp_runs(int kernel_id) {
  return tp_state(kernel_id) == 'R';
}

/* What the proof takes for granted of the system, and natively may be otherwise: that there is
 * memory, that threads can be created, how long a line is that the program reads.
 *
 * The program calls the functions below instead of those with the rest of their names. */
#include "enforce.h"

enum { TP_ALLOCATIONS_FAIL = 1, TP_CREATIONS_FAIL = 2 };

void tp_no_thread(void) {
  if (tp_self == TP_STRANGER || tp_head()->failures & TP_CREATIONS_FAIL) return;
  tp_depart("a thread cannot be created", TP_ELSEWHERE);
}

/* An allocation of more than half of the address space fails in the proof, too. */
static void *tp_allocated(void *memory, size_t count, size_t size) {
  size_t all;
  bool expected = __builtin_mul_overflow(count, size, &all) || all == 0 || all > PTRDIFF_MAX;
  if (!memory && !expected && !(tp_head()->failures & TP_ALLOCATIONS_FAIL) && tp_self != TP_STRANGER)
    tp_depart("there is no memory left", TP_ELSEWHERE);
  return memory;
}

void *tp_checked_malloc(size_t size) { return tp_allocated(malloc(size), size, 1); }
void *tp_checked_calloc(size_t count, size_t size) { return tp_allocated(calloc(count, size), count, size); }
void *tp_checked_realloc(void *old, size_t size) { return tp_allocated(realloc(old, size), size, 1); }
void *tp_checked_reallocarray(void *old, size_t count, size_t size) {
  return tp_allocated(reallocarray(old, count, size), count, size);
}
/* With an alignment that is none they fail in the proof, too, and say so. */
void *tp_checked_aligned_alloc(size_t align, size_t size) {
  void *memory = aligned_alloc(align, size);
  return memory || errno != ENOMEM ? memory : tp_allocated(NULL, size, 1);
}
int tp_checked_posix_memalign(void **to, size_t align, size_t size) {
  int result = posix_memalign(to, align, size);
  if (result == ENOMEM) tp_allocated(NULL, size, 1);
  return result;
}
char *tp_checked_strdup(const char *text) { return tp_allocated(strdup(text), 1, 1); }
char *tp_checked_strndup(const char *text, size_t most) { return tp_allocated(strndup(text, most), 1, 1); }

/* The operators of C++ that yield a null pointer where there is no memory. */
#define TP_NOTHROW(name) \
  void *name(size_t size, const void *nothrow) __attribute__((weak)); \
  void *tp_checked_##name(size_t size, const void *nothrow) { return tp_allocated(name(size, nothrow), size, 1); }
#if __SIZEOF_SIZE_T__ == 8
TP_NOTHROW(_ZnwmRKSt9nothrow_t)
TP_NOTHROW(_ZnamRKSt9nothrow_t)
#else
TP_NOTHROW(_ZnwjRKSt9nothrow_t)
TP_NOTHROW(_ZnajRKSt9nothrow_t)
#endif

/* What the environment gives is bounded in the proof (frontend/src/lower/environment.rs). */
enum { TP_MOST_CHARACTERS = 3, TP_MOST_PROCESSORS = 2 };

ssize_t tp_checked_getline(char **line, size_t *size, FILE *stream) {
  ssize_t length = getline(line, size, stream);
  if (length > TP_MOST_CHARACTERS) tp_depart("a line is longer than in the proof", TP_ELSEWHERE);
  return length;
}

char *tp_checked_getenv(const char *name) {
  char *value = getenv(name);
  if (value && strlen(value) > TP_MOST_CHARACTERS)
    tp_depart("an environment variable is longer than in the proof", TP_ELSEWHERE);
  return value;
}

static long tp_processors(long count) {
  if (count > TP_MOST_PROCESSORS) tp_depart("there are more processors than in the proof", TP_ELSEWHERE);
  return count;
}

int tp_checked_get_nprocs(void) { return tp_processors(sysconf(_SC_NPROCESSORS_ONLN)); }
int tp_checked_get_nprocs_conf(void) { return tp_processors(sysconf(_SC_NPROCESSORS_CONF)); }

unsigned tp_checked__ZNSt6thread20hardware_concurrencyEv(void) {
  return tp_processors(sysconf(_SC_NPROCESSORS_ONLN));
}

long tp_checked_sysconf(int name) {
  long value = sysconf(name);
  bool counts = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return counts ? tp_processors(value) : value;
}

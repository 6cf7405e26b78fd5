/* Threads get their numbers where they are created. */
#include "common.h"

typedef struct {
  void *(*function)(void *);
  void *argument;
  int number;
} tp_birth;

static atomic_int tp_created = 0;
/* How many of them have not begun yet. */
static atomic_int tp_unborn = 0;

bool tp_all_have_begun(int *created) {
  *created = atomic_load(&tp_created);
  return atomic_load(&tp_unborn) == 0;
}

/* The destructor of this key is called last: it puts off what it does to the last round of
 * destructors. */
static pthread_key_t tp_end_key;

static void tp_at_end_of_thread(void *rounds) {
  if ((intptr_t)rounds >= PTHREAD_DESTRUCTOR_ITERATIONS) return tp_thread_is_over();
  pthread_setspecific(tp_end_key, (void *)((intptr_t)rounds + 1));
}

/* Before the program has keys of its own. */
__attribute__((constructor(50))) static void tp_make_key(void) { pthread_key_create(&tp_end_key, tp_at_end_of_thread); }

static void *tp_run_thread(void *data) {
  tp_birth birth = *(tp_birth *)data;
  free(data);
  tp_self = birth.number;
  tp_thread_starts();
  pthread_setspecific(tp_end_key, (void *)1);
  atomic_fetch_sub(&tp_unborn, 1);
  void *result = birth.function(birth.argument);
  tp_thread_ends();
  return result;
}

typedef int (*tp_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* The address sanitizer wants to know of threads, too. */
extern int __interceptor_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)
    __attribute__((weak));

int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *argument) {
  static _Atomic(tp_create) known;
  tp_create real = atomic_load(&known);
  if (!real) {
    real = __interceptor_pthread_create ? __interceptor_pthread_create : (tp_create)tp_real("pthread_create");
    atomic_store(&known, real);
  }
  if (tp_self == TP_STRANGER) return real(thread, attr, function, argument);
  tp_birth *birth = malloc(sizeof *birth);
  if (!birth) {
    tp_no_thread();
    return EAGAIN;
  }
  atomic_fetch_add(&tp_unborn, 1);
  int number = atomic_fetch_add(&tp_created, 1) + 1;
  *birth = (tp_birth){function, argument, number};
  int result = real(thread, attr, tp_run_thread, birth);
  if (result == 0) return 0;
  tp_no_thread();
  atomic_fetch_sub(&tp_unborn, 1);
  free(birth);
  return result;
}

void pthread_exit(void *result) {
  tp_thread_ends();
  ((void (*)(void *))tp_real("pthread_exit"))(result);
  __builtin_unreachable();
}

/* C11 threads would start behind our back. */
typedef struct {
  thrd_start_t function;
  void *argument;
} tp_c11_birth;

static void *tp_run_c11_thread(void *data) {
  tp_c11_birth birth = *(tp_c11_birth *)data;
  free(data);
  return (void *)(intptr_t)birth.function(birth.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
  tp_c11_birth *birth = malloc(sizeof *birth);
  if (!birth) {
    tp_no_thread();
    return thrd_nomem;
  }
  *birth = (tp_c11_birth){function, argument};
  if (pthread_create(thread, NULL, tp_run_c11_thread, birth) == 0) return thrd_success;
  free(birth);
  return thrd_error;
}

int thrd_join(thrd_t thread, int *result) {
  void *value = NULL;
  if (pthread_join(thread, &value) != 0) return thrd_error;
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}

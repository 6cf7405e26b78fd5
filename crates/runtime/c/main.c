/* The program's own main is called from here. */
#include "common.h"

int tp_program_main(int count, char **arguments, char **environment);

__attribute__((constructor(50))) static void tp_number_main(void) { tp_self = 0; }

int main(int count, char **arguments, char **environment) {
  tp_main_begins(count, arguments);
  pthread_setspecific(tp_end_key, (void *)1);
  int result = tp_program_main(count, arguments, environment);
  tp_main_ends();
  return result;
}

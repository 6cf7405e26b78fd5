/* Inputs are taken from the trace: each thread has its own, in order. */
#include "replay.h"

static uint32_t tp_next_input[TP_THREADS];

uint64_t tp_input(const char *name) {
  if (tp_self < 0 || tp_self >= TP_THREADS) return 0;
  for (uint32_t i = tp_next_input[tp_self]; i < tp_head()->inputs; i++) {
    const tp_given *given = &tp_inputs()[i];
    if (given->thread != (uint32_t)tp_self || strcmp(tp_plan_names + given->name, name) != 0) continue;
    tp_next_input[tp_self] = i + 1;
    return given->value;
  }
  /* After the trace any value will do. */
  if (tp_is_held() && !atomic_load(&tp_reached)) tp_depart("input", TP_NONE);
  return 0;
}

/* The runtime of enforced schedules, as one unit. */
#define _GNU_SOURCE
#include "common.c"
#include "threads.c"
#include "main.c"
#include "waits.c"
#include "verifier.c"
#include "enforce.c"
#include "enforce_notes.c"
#include "enforce_strangers.c"
#include "enforce_waits.c"
#include "enforce_inputs.c"
#include "enforce_failures.c"
#include "plan.c"

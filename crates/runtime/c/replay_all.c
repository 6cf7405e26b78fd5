/* The runtime of native replay, as one unit. */
#define _GNU_SOURCE
#include "common.c"
#include "threads.c"
#include "main.c"
#include "waits.c"
#include "verifier.c"
#include "replay.c"
#include "replay_waits.c"
#include "replay_inputs.c"
#include "replay_failures.c"
#include "plan.c"

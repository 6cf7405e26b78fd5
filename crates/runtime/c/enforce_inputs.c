/* Inputs that only the model checker knows are any value: a random one. Every other one is small,
 * from -1 to 6: programs often assume that an input is, and few others would pass. */
#include "enforce.h"

static __thread uint64_t tp_random;

uint64_t tp_input(const char *name) {
  (void)name;
  if (!tp_random) {
    const char *seed = getenv("THREADPROOF_SEED");
    uint64_t start = seed ? strtoull(seed, NULL, 10) : (uint64_t)time(NULL) ^ (uint64_t)getpid() << 20;
    tp_random = (start + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)(tp_self + 1) * 0xbf58476d1ce4e5b9u;
    tp_random += !tp_random;
  }
  tp_random ^= tp_random << 13;
  tp_random ^= tp_random >> 7;
  tp_random ^= tp_random << 17;
  /* The low bits of this generator are its best mixed ones only after folding. */
  uint64_t any = tp_random ^ tp_random >> 32;
  return any >> 63 ? any % 8 - 1 : any;
}

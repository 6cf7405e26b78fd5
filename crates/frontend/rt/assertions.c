/* Assertions that are functions: what a program means that calls assert without
 * its header, and the names that other tools have for it. Without a declaration
 * the condition may be as wide as a pointer. */
#include "rt.h"

void assert(long condition) {
    if (!condition) __tp_fail("assert");
}

void __VERIFIER_assert(long condition) {
    if (!condition) __tp_fail("__VERIFIER_assert");
}

void __ESBMC_assert(long condition, const char *message) {
    if (!condition) __tp_fail("__ESBMC_assert");
}

void __CPROVER_assert(long condition, const char *message) {
    if (!condition) __tp_fail("__CPROVER_assert");
}

// Executions in which an assumption is false do not count.
// ltl: safe none F "x == 1"
// ltl: safe weak F terminated
// ltl: safe none G ("x == 2" -> false)
#include <threadproof.h>

int x;

int main(void) {
    int value = tp_nondet_range(0, 3);
    tp_assume(value == 1);
    x = value;
}

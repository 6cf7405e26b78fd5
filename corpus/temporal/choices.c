// Data choices need not be fair: the same value may come again and again.
// ltl: unsafe weak F "x == 1"
// ltl: unsafe strong F "x == 1"
// ltl: safe none G "x == 0 || x == 1"
// ltl: safe none G ("x == 1" -> F terminated)
#include <threadproof.h>

int x;

int main(void) {
    while (!tp_nondet_bool())
        ;
    x = 1;
}

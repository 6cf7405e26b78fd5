// Defines what the header declares, for programs that include it.

#include "inline-shared.h"

_Atomic int total;
extern inline int add(int amount);

int add_twice(int amount)
{
    add(amount);
    return add(amount);
}

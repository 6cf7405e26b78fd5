// An inline function of a header; one source file has to define it for all.

extern _Atomic int total;

inline int add(int amount)
{
    return total += amount;
}

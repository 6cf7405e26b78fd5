// An over-aligned class gets its alignment from new, alone and in arrays.
// expect: default=safe overflow=safe leak=safe

#include <cassert>
#include <cstdint>

struct alignas(128) Slot {
    int value = 3;
};

static bool is_aligned(const Slot *slot)
{
    return reinterpret_cast<std::uintptr_t>(slot) % alignof(Slot) == 0;
}

int main()
{
    Slot *one = new Slot;
    Slot *many = new Slot[2];
    assert(is_aligned(one) && is_aligned(many) && is_aligned(many + 1));
    assert(one->value + many[1].value == 6);
    delete one;
    delete[] many;
}

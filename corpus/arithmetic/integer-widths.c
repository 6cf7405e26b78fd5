// The largest and smallest value of every integer width survives a store and a load.
// expect: default=safe overflow=safe
// final-states: 1

#include <assert.h>
#include <stdint.h>

static int8_t i8;
static uint8_t u8;
static int16_t i16;
static uint16_t u16;
static int32_t i32;
static uint32_t u32;
static int64_t i64;
static uint64_t u64;

static void store(int64_t number)
{
    i8 = (int8_t)number;
    u8 = (uint8_t)number;
    i16 = (int16_t)number;
    u16 = (uint16_t)number;
    i32 = (int32_t)number;
    u32 = (uint32_t)number;
    i64 = number;
    u64 = (uint64_t)number;
}

int main(void)
{
    store(-1);
    assert(i8 == -1 && i16 == -1 && i32 == -1 && i64 == -1);
    assert(u8 == UINT8_MAX && u16 == UINT16_MAX && u32 == UINT32_MAX && u64 == UINT64_MAX);
    store(0x7f7f7f7f80808080);
    assert(i8 == -128 && u8 == 128);
    assert(i16 == -32640 && u16 == 32896);
    assert(i32 == -2139062144 && u32 == 2155905152u);
    assert(i64 == 0x7f7f7f7f80808080 && u64 == 0x7f7f7f7f80808080u);
    store(INT64_MIN);
    assert(i8 == 0 && u16 == 0 && i32 == 0 && i64 < 0);
    assert(u64 == 0x8000000000000000u);
    return 0;
}

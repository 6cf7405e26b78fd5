/* What std::hash and the unordered containers take from libstdc++'s binary. */
#include "rt.h"

#define JOIN(a, b, c, d) a##b##c##d
#define NAME(a, b, c, d) JOIN(a, b, c, d)

#if __SIZEOF_POINTER__ == 8
#define SIZE m

static size_t mixed(size_t value) { return value ^ value >> 47; }

/* Murmur hash for 64 bits. */
static size_t hash(const unsigned char *bytes, size_t length, size_t seed) {
    const size_t factor = 0xc6a4a7935bd1e995;
    size_t hash = seed ^ length * factor;
    for (; length >= 8; length -= 8, bytes += 8) {
        size_t word;
        memcpy(&word, bytes, 8);
        hash = (hash ^ mixed(word * factor) * factor) * factor;
    }
    if (length) {
        size_t rest = 0;
        while (length--) rest = rest << 8 | bytes[length];
        hash = (hash ^ rest) * factor;
    }
    return mixed(mixed(hash) * factor);
}
#else
#define SIZE j

/* Murmur hash for 32 bits. */
static size_t hash(const unsigned char *bytes, size_t length, size_t seed) {
    const size_t factor = 0x5bd1e995;
    size_t hash = seed ^ length;
    for (; length >= 4; length -= 4, bytes += 4) {
        size_t word;
        memcpy(&word, bytes, 4);
        word *= factor;
        word ^= word >> 24;
        hash = hash * factor ^ word * factor;
    }
    if (length) {
        size_t rest = 0;
        while (length--) rest = rest << 8 | bytes[length];
        hash = (hash ^ rest) * factor;
    }
    hash = (hash ^ hash >> 13) * factor;
    return hash ^ hash >> 15;
}
#endif

size_t NAME(_ZSt11_Hash_bytesPKv, SIZE, SIZE, )(const void *bytes, size_t length, size_t seed) {
    return hash(bytes, length, seed);
}

/* How many buckets a table may have, which decides the order of its elements.
 * Besides, one bucket needs no memory. */
static const unsigned sizes[] = {
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 103, 109, 113,
    127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313,
    337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953,
    1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209,
    3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517, 8123, 8783, 9497, 10273, 11113,
    12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267, 28411, 30727, 33223,
    35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733,
    107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279,
    277261, 299951, 324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753,
    712697, 771049, 834181, 902483, 976369, 1056323,
};

struct policy {
    float max_load_factor;
    size_t next_resize;
};

size_t NAME(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktE, SIZE, , )(struct policy *policy, size_t least) {
    if (!least) return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (sizes[i] < least) continue;
        policy->next_resize = (size_t)(sizes[i] * (double)policy->max_load_factor);
        return sizes[i];
    }
    __tp_unsupported("a hash table with more than a million buckets");
}

struct answer {
    _Bool must;
    size_t buckets;
};

/* A table that has no memory yet gets some for eleven elements. */
struct answer NAME(_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashE, SIZE, SIZE, SIZE)(
    struct policy *policy, size_t buckets, size_t elements, size_t more) {
    size_t wanted = elements + more;
    if (wanted <= policy->next_resize) return (struct answer){0, 0};
    if (!policy->next_resize && wanted < 11) wanted = 11;
    double least = (double)wanted / (double)policy->max_load_factor;
    if (least < (double)buckets) {
        policy->next_resize = (size_t)((double)buckets * (double)policy->max_load_factor);
        return (struct answer){0, 0};
    }
    size_t next = (size_t)least + 1;
    if (next < 2 * buckets) next = 2 * buckets;
    return (struct answer){1, NAME(_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktE, SIZE, , )(policy, next)};
}

// A hash table with no buckets: the hash is taken modulo zero.
// expect: arithmetic=unsafe assert=safe race=safe deadlock=safe memory=safe lock-misuse=safe uninit=safe

struct table {
    unsigned buckets;
    unsigned seed;
};

static unsigned bucket_of(const struct table *table, unsigned key)
{
    return (key ^ table->seed) % table->buckets; //~ arithmetic
}

int main(void)
{
    struct table table = {0, 17};
    return (int)bucket_of(&table, 4);
}

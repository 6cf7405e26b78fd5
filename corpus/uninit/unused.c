// An uninitialised value is read, added to and stored, but nothing depends on it.
// expect: default=safe

struct buffer {
    int bytes[4];
};

static struct buffer spare;
static int copied;

static void save(const struct buffer *buffer)
{
    spare = *buffer;
    spare.bytes[0] += 1;
    copied = 1;
}

int main(void)
{
    struct buffer buffer;
    save(&buffer);
    return copied == 1 ? 0 : 1;
}

// A compound literal in a block that a case leads into ends with that block
// expect: memory=unsafe
struct pair {
    int first, second;
};

static int sum(int which) {
    struct pair *kept = 0;
    switch (which) {
    case 0:
        kept = &(struct pair){1, 2};
        /* falls through */
    default:
        if (kept)
            kept->first++;
    }
    return kept ? kept->first + kept->second : 0; //~ memory
}

int main(void) {
    return sum(0) - sum(1);
}

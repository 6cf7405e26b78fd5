// A compound literal lives on where one case falls through to the next
// expect: default=safe
#include <assert.h>

struct pair {
    int first, second;
};

static int sum(int which) {
    struct pair *kept = 0;
    int result = 0;
    switch (which) {
    case 0:
        kept = &(struct pair){1, 2};
        /* falls through */
    default:
        if (kept)
            kept->first++;
        result = kept ? kept->first + kept->second : 0;
    }
    return result;
}

int main(void) {
    assert(sum(0) == 4 && sum(1) == 0);
    return 0;
}

// A sequential loop over memory: what loads and stores cost.
static int table[64];

int main(void) {
    for (unsigned i = 0; i < 2000000u; i++) {
        table[i % 64] += (int)i;
    }
    return table[0] == 1;
}

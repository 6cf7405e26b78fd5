// A sequential loop over registers: what an instruction costs.
int main(void) {
    unsigned sum = 1;
    for (unsigned i = 0; i < 20000000u; i++) {
        sum = sum * 31 + (i ^ (sum >> 3));
    }
    return sum == 0;
}

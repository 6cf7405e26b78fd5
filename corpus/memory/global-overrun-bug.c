// A loop with <= writes one element past the end of a global array.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

enum { SIZE = 4 };

static int squares[SIZE];
static int after;

int main(void)
{
    for (int i = 0; i <= SIZE; i++)
        squares[i] = i * i; //~ memory
    return after;
}

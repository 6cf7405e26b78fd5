// A pointer to an array of an inner block is read after that block has ended.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

int main(void)
{
    int level = 3;
    const char *label = "low";
    if (level > 2) {
        char text[8] = "high";
        text[0] = 'H';
        label = text;
    }
    return label[0]; //~ memory
}

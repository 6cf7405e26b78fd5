// A function hands out the address of its own local variable.
// expect: memory=unsafe assert=safe race=safe deadlock=safe arithmetic=safe lock-misuse=safe uninit=safe

struct point {
    int x;
    int y;
};

static struct point *make_point(int x, int y)
{
    struct point point = {x, y};
    struct point *result = &point;
    return result;
}

int main(void)
{
    struct point *point = make_point(1, 2);
    return point->x; //~ memory
}

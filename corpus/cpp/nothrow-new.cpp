// What a nothrow new gives is tested before it is used.
// options: --malloc-may-fail
// expect: default=safe cleanup=safe
#include <new>

int main() {
    int *sure = new int(1);
    *sure = 2;
    delete sure;
    int *unsure = new (std::nothrow) int;
    if (unsure) *unsure = 3;
    delete unsure;
    return 0;
}

// A nothrow new may fail, one that would throw does not.
// options: --malloc-may-fail
// expect: memory=unsafe default=unsafe
#include <new>

int main() {
    int *sure = new int(1);
    *sure = 2;
    delete sure;
    int *unsure = new (std::nothrow) int;
    *unsure = 3; //~ memory
    delete unsure;
    return 0;
}

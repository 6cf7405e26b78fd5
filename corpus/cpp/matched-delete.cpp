// Memory goes back the way it came, aligned memory, too.
// expect: default=safe overflow=safe leak=safe

#include <cstdlib>
#include <memory>

struct alignas(64) line {
    int word;
};

int main()
{
    int *scores = new int[3]{1, 2, 3};
    delete[] scores;
    line *one = new line;
    delete one;
    line *many = new line[2];
    delete[] many;
    void *bytes = std::malloc(8);
    std::free(bytes);
    std::unique_ptr<int> owned(new int(3));
    return *owned - 3;
}

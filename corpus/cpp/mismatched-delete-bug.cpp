// An array from new[] goes back by delete.
// expect: memory=unsafe assert=safe race=safe

int main()
{
    int *scores = new int[3]{1, 2, 3};
    delete scores; //~ memory
    return 0;
}

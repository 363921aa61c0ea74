// options: --check free
// expect: SAFE
int main(void) {
    int *p;
    int y;
    {
        int x = 1;
        p = &x;
        y = *p;
    }
    p = &y;
    return *p;
}

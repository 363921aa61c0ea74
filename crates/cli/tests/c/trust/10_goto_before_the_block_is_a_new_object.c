// options: --check free
// expect: UNSAFE
int main(void) {
    int *p = 0;
    int n = 0;
again:
    {
        int x = n;
        if (p)
            return *p;
        p = &x;
        n++;
        goto again;
    }
}

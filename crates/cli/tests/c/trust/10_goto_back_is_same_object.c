// options: --check free
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int *p = 0;
    int n = 0;
    {
    again:;
        int x = n;
        if (p) {
            if (p != &x || *p != 1) // one block, one object
                reach_error();
        }
        p = &x;
        n++;
        if (n < 2)
            goto again;
    }
    return 0;
}

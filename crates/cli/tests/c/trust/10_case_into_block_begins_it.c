// options: --check free
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int r = 0;
    switch (nd()) {
        {
            int x;
            int *p;
        case 1:
            x = 3;
            p = &x;
            r = *p;
            break;
        case 2:
            x = 4;
            p = &x;
            r = *p;
        }
    }
    if (r != 0 && r != 3 && r != 4)
        reach_error();
    return 0;
}

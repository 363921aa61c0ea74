// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
int main(void) {
    int seen = 0;
    for (int i = 0; i < 2; i++) {
        int x;
        int *p = &x;
        if (i == 1 && *p != 7) // a new object: what the first turn wrote is gone
            reach_error();
        *p = 7;
        seen = *p;
    }
    return seen;
}

// expect: SAFE
// data-model: any
// What lies behind a range that is filled stays as it was.
void *memset(void *, int, unsigned long);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    unsigned char a[8];
    int i = __VERIFIER_nondet_int();
    if (i < 4 || i > 7) return 0;
    a[i] = 9;
    memset(a, 1, 4);
    if (a[i] != 9 || a[i - 4] != 1) reach_error();
    return 0;
}

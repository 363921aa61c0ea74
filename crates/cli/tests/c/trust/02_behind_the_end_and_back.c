// options: --check null
// expect: SAFE
extern int nd(void);
int a[5];
int main(void) {
    int *end = a + 5, *p = a + (nd() & 3), s = *p++;
    if (p < end)
        s ^= *p++;
    return s + end[-1] + *--p;
}

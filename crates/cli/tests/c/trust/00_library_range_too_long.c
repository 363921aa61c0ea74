// expect: UNSAFE
// options: --check bounds
extern int memcmp(const void *, const void *, unsigned long);
extern int nd(void);
int main(void) { char a[3] = {0}, b[4] = {0}; return memcmp(a, b, 3 + (nd() & 1)); }

// expect: UNSAFE
// options: --check bounds
extern int strcmp(const char *, const char *);
extern int nd(void);
int main(void) { char a[2] = {97, nd()}; return strcmp(a, "abc"); }

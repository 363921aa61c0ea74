// expect: UNSAFE
// options: --check null
extern int strcmp(const char *, const char *);
extern int nd(void);
int main(void) { char a[2] = {97, 0}; const char *p = nd() ? a : 0; return strcmp(p, "abc"); }

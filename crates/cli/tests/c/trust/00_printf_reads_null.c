// expect: UNSAFE
// options: --check null
extern int printf(const char *, ...);
extern int nd(void);
int main(void) { printf("%s\n", nd() ? "a" : 0); return 0; }

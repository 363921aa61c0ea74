// options: --check null
// expect: UNSAFE
extern int nd(void);
char b[4];
int main(void) {
    char *p = nd() ? b : 0;
    *p++ = 1;
    return p == b;
}

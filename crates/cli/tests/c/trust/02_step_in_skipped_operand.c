// options: --check null
// expect: SAFE
extern int nd(void);
char b[8];
int main(void) {
    char *p = nd() ? b : 0;
    int n = nd() & 3;
    return p && n && *p++ ? p[-1] : 0;
}

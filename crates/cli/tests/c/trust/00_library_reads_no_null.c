// expect: SAFE
// options: --check null
extern unsigned long strlen(const char *);
extern int nd(void);
int main(void) { const char *p = nd() ? "a" : 0; return p ? strlen(p) : 0; }

// expect: SAFE
// options: --check bounds,null,free
extern int strcmp(const char *, const char *);
extern int nd(void);
int main(void) { char a[3] = {nd(), nd(), 0}; return strcmp(a, "abc"); }

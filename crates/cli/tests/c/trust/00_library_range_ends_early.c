// expect: SAFE
// options: --check bounds
/* memchr reads no further than what it finds. */
extern void *memchr(const void *, int, unsigned long);
extern int nd(void);
int main(void) { char a[3] = {1, 7, nd()}; return memchr(a, 7, 100) != 0; }

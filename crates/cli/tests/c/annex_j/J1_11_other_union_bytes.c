// expect: UNSAFE
/* A store into a small member changes the wide one. */
extern int nd(void);
extern void reach_error(void);
int main(void) {
    union { unsigned u; unsigned char c[4]; } x;
    x.u = nd();
    x.c[3] = 0x7f;
    if (x.u == 0x7f000001u) reach_error();
    return 0;
}

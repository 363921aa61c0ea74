// expect: SAFE
/* The bytes behind a smaller member keep what they were, as gcc leaves them. */
extern int nd(void);
extern void reach_error(void);
int main(void) {
    union { unsigned u; unsigned char c; } x;
    x.u = 0x11223300u | (nd() & 1);
    x.c = 7;
    if (x.u != 0x11223307u) reach_error();
    return 0;
}

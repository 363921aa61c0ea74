// expect: SAFE
/* The lowest byte lies first. */
extern int nd(void);
extern void reach_error(void);
int main(void) {
    unsigned n = nd();
    unsigned char *b = (unsigned char *)&n;
    if (b[0] != (n & 0xff) || b[3] != n >> 24) reach_error();
    return 0;
}

// expect: SAFE
// Where gcc puts members behind one of variable length; a length that changes later does not matter.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar() & 3;
    n++;
    struct s { char c; int v[n]; char w[n]; short b; struct { char q; double z; } in; } x, *p = &x;
    unsigned long w = 4 + 4 * n, b = w + n + (w + n) % 2, in = b + 2;
    in = (in + 7) / 8 * 8;
    if (sizeof x != in + 16 || sizeof(struct s) != in + 16 || _Alignof(struct s) != 8) reach_error();
    if ((char *)&x.v - (char *)&x != 4 || (char *)&x.w - (char *)p != w || (char *)&p->b - (char *)&x != b) reach_error();
    if ((char *)&x.in.z - (char *)&x != in + 8 || __builtin_offsetof(struct s, b) != b) reach_error();
    if (sizeof x.v != 4 * n || sizeof p->w != n || (char *)(p + 1) - (char *)p != in + 16) reach_error();
    n = 9;
    if (sizeof x != in + 16 || sizeof(struct s[2]) != 2 * in + 32) reach_error();
    return 0;
}

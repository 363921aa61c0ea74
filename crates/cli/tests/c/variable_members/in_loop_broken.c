// expect: UNSAFE
// Another size in each turn.
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    unsigned long total = 0;
    int n = __VERIFIER_nondet_uchar() & 3;
    for (int i = 1; i <= n; i++) {
        struct { char v[i]; int x; } s;
        s.x = i;
        total += sizeof s;
    }
    if (total == 24) reach_error();
    return 0;
}

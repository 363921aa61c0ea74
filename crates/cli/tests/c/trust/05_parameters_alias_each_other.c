// options: --entry swap -m32
// expect: UNSAFE
extern void reach_error(void);
void swap(unsigned char *a, unsigned char *b) {
    if (!a || !b) return;
    unsigned char x = *a, y = *b;
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
    if (*a != y || *b != x) reach_error();
}

// options: --entry swap --params distinct
// expect: SAFE
extern void reach_error(void);
void swap(unsigned char *a, unsigned char *b) {
    unsigned char x = *a, y = *b;
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
    if (*a != y || *b != x) reach_error();
}

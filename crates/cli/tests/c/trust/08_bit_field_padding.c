// expect: UNSAFE
// Bits that no bit-field has are padding as well.
extern void reach_error(void);

struct B { unsigned a : 3, b : 2; };

int main(void) {
    struct B x = {5, 1};
    if ((*(unsigned char *)&x & 31) != (5 | 1 << 3)) return 0;
    if (*(unsigned char *)&x >> 5) reach_error();
    return 0;
}

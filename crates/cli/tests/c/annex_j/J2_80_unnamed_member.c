// expect: UNSAFE
/* An unnamed bit-field has any value, as padding. */
extern void reach_error(void);
struct S { unsigned a : 4; unsigned : 4; unsigned b : 8; };
int main(void) {
    struct S s = {1, 2};
    unsigned char first = *(unsigned char *)&s;
    if (first == 0x51) reach_error();
    return 0;
}

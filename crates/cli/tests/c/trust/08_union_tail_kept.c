// expect: SAFE
// What a smaller member of a union does not cover is kept by a store to it.
extern int nd(void);
extern void reach_error(void);

union U { unsigned char c; unsigned w; };

int main(void) {
    union U u;
    u.w = 0x11223344;
    u.c = (unsigned char)nd();
    if (u.w >> 8 != 0x112233) reach_error();
    return 0;
}

// expect: SAFE
// Reads and writes through a lowered type go to the bytes they name.
extern int nd(void);
extern void reach_error(void);

typedef unsigned uu __attribute__((aligned(1)));

int main(void) {
    unsigned char b[8] = {0};
    unsigned n = (unsigned)nd();
    *(uu *)(b + 3) = n;
    if (b[3] != (unsigned char)n || b[6] != (unsigned char)(n >> 24) || b[7] != 0 || b[2] != 0) reach_error();
    if (*(uu *)(b + 3) != n) reach_error();
    return 0;
}

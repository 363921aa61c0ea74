// options: --padding kept
// expect: UNSAFE
// An initialiser leaves padding arbitrary in any case.
extern void reach_error(void);

struct S { short c; int i; char d; };

int main(void) {
    struct S a = {.i = 3};
    if (((unsigned char *)&a)[9] == 0x5a) reach_error();
    return 0;
}

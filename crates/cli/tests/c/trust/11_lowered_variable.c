// expect: UNSAFE
// An attribute of a variable lowers its alignment as well.
extern void reach_error(void);

static int g __attribute__((aligned(2)));

int main(void) {
    g = 1;
    if (__alignof__(g) != 2) return 0;
    if (((unsigned long)&g & 2) != 0) reach_error();
    return 0;
}

// expect: UNSAFE
extern void reach_error(void);

typedef long ul __attribute__((aligned(1)));

static int odd(ul x) {
    ul *p = &x;
    return ((unsigned long)p & 1) != 0;
}

int main(void) {
    if (odd(3)) reach_error();
    return 0;
}

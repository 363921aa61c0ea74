// expect: UNSAFE
// The elements of an array of packed structures are not aligned.
extern int nd(void);
extern void reach_error(void);

struct __attribute__((packed)) P { char c; int i; };

int main(void) {
    struct P a[4] = {{1, 2}};
    int k = nd() & 3;
    a[k].i = 7;
    if (((unsigned long)&a[k].i - (unsigned long)a) % 5 != 1) return 0;
    if (((unsigned long)&a[k].i & 3) == 1) reach_error();
    return 0;
}

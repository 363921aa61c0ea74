// expect: UNKNOWN
// reason: assembly that names variables or functions
extern void reach_error(void);
int x;
int main(void) {
    x = 1;
    int *q;
    __asm__("leaq x(%%rip),%0" : "=r"(q));
    *q = 2;
    if (x == 2) reach_error();
    return 0;
}

// expect: SAFE
extern void reach_error(void);
int main(void) {
    int x = 1, y = 1;
    int *p = &y, *q;
    __asm__("leaq (%1),%0" : "=r"(q) : "r"(p));
    if (q == &y) *q = 2;
    if (x == 2) reach_error();
    return 0;
}

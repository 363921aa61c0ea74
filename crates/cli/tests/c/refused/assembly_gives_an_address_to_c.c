// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
int g;
extern int *const table[];
__asm__(".section d,\"a\"\n.balign 8\ntable:\n.quad g\n.previous");
int main(void) {
    g = 1;
    *table[0] = 5;
    if (g == 5) reach_error();
    return 0;
}

// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
static int s __attribute__((used));
extern int *table[];
__asm__(".section d,\"aw\"\n.balign 8\ntable:\n.quad \"s\"\n.previous");
int main(void) {
    s = 1;
    *table[0] = 5;
    if (s == 5) reach_error();
    return 0;
}

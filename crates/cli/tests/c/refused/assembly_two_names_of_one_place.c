// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
extern int a, b;
__asm__(".section s,\"aw\"\na:\nb:\n.long 5\n.previous");
int main(void) {
    a = 1;
    b = 2;
    if (a == 2) reach_error();
    return 0;
}

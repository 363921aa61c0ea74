// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
int x = 1;
extern int y;
__asm__(".section s,\"aw\"\n.byte '\"; .globl y; .set y, x; .byte '\"\n.previous");
int main(void) {
    x = 1;
    y = 2;
    if (x == 2) reach_error();
    return 0;
}

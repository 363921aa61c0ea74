// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
extern const char a[], b[];
__asm__(".section s,\"a\"\na:\n.balign 4\nb:\n.asciz \"x\"\n.previous");
int main(void) {
    if (a == b) reach_error();
    return 0;
}

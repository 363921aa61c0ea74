// expect: UNKNOWN
// reason: assembly outside of functions
extern void reach_error(void);
int x = 1;
extern int y;
// To an assembler the comments end with their lines.
__asm__("# \"\n.globl y\n.set y, x\n# \"\n");
int main(void) {
    x = 1;
    y = 2;
    if (x == 2) reach_error();
    return 0;
}

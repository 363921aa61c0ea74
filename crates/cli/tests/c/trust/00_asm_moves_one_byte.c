// expect: UNSAFE
extern void reach_error(void);
int main(void) { int x = 0x100; __asm__("movb $1,%0" : "+m"(x)); if (x == 0x101) reach_error(); return 0; }

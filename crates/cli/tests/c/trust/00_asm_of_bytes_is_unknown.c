// expect: UNSAFE
/* `.byte` makes instructions. */
extern void reach_error(void);
int main(void) { int x = 1; __asm__(".byte 0xff, 0xc0" : "+a"(x)); if (x == 2) reach_error(); return 0; }

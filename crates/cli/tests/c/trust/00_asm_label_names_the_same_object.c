// expect: UNSAFE
/* For the linker there is one object `y`. */
extern void reach_error(void);
int y;
extern int x __asm__("y");
int main(void) { x = 5; if (y == 5) reach_error(); return 0; }

// expect: UNSAFE
/* The size of a variable length array type is evaluated in sizeof. */
extern void reach_error(void);
int main(void) { int n = 3; int s = sizeof(int[n++]); if (n == 4 && s == 12) reach_error(); return 0; }

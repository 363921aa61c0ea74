// expect: UNSAFE
/* A pointer that is read may be any number. */
#include <stdio.h>
extern void reach_error(void);
int main(void) { void *p = 0; if (scanf("%p", &p) == 1 && (unsigned long)p == 77) reach_error(); return 0; }

// expect: SAFE
/* `va_end` does nothing. */
#include <stdarg.h>
extern void reach_error(void);
static int f(int n, ...) { va_list list; va_start(list, n); return va_arg(list, int); }
int main(void) { if (f(1, 3) != 3) reach_error(); return 0; }

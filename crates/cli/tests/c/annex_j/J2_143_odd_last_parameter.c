// expect: SAFE
/* The further arguments begin behind the last parameter, whatever its type. */
#include <stdarg.h>
extern void reach_error(void);
static int f(char n, ...) { va_list list; va_start(list, n); int x = va_arg(list, int); va_end(list); return x + n; }
int main(void) { if (f(1, 3) != 4) reach_error(); return 0; }

// expect: SAFE
/* A copy of a list of arguments goes on by itself. */
#include <stdarg.h>
extern void reach_error(void);
static int f(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int first = va_arg(a, int), again = va_arg(b, int), second = va_arg(a, int);
    va_end(b);
    va_end(a);
    return first == again ? second : -1;
}
int main(void) { if (f(2, 5, 6) != 6) reach_error(); return 0; }

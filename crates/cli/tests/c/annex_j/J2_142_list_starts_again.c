// expect: SAFE
/* `va_start` once more starts again. */
#include <stdarg.h>
extern void reach_error(void);
static int f(int n, ...) {
    va_list list;
    va_start(list, n);
    int first = va_arg(list, int);
    va_start(list, n);
    int again = va_arg(list, int);
    va_end(list);
    return first == again;
}
int main(void) { if (!f(2, 3, 4)) reach_error(); return 0; }

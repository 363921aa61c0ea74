// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
extern unsigned nd(void);
int main(void) {
    unsigned n = nd();
    if (n < 1 || n > 4) return 0;
    char *p = malloc(n);
    if (!p) return 0;
    p[n - 1] = 7;
    char *q = realloc(p, n + nd() % 4);
    if (q && q[n - 1] != 7) reach_error();
    return 0;
}

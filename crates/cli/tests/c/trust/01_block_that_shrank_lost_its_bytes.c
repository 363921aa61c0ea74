// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int *p = malloc(8);
    if (!p) return 0;
    p[1] = 2;
    int *q = realloc(p, 4);
    if (!q) return 0;
    q = realloc(q, 8);
    if (q && q[1] != 2) reach_error();
    return 0;
}

// expect: SAFE
#include <stdlib.h>
extern void reach_error(void);
extern int nd(void);
int main(void) {
    int n = nd(), *p = malloc(8);
    if (!p) return 0;
    p[0] = n;
    p[1] = 2;
    int *q = realloc(p, 16);
    if (!q) {
        if (p[0] != n) reach_error();
        return 0;
    }
    if (q[0] != n || q[1] != 2) reach_error();
    return 0;
}

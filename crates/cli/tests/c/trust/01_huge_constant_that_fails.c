// options: --check free
// expect: UNSAFE
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    if (!p)
        return 0;
    *p = 1;
    free(p);
    char *q = malloc(0xfffffffffffffffeul); // there is no room for it
    if (q)
        return 0;
    return *p;
}

// expect: SAFE
// What comes later lies elsewhere, too.
#include <stdlib.h>
extern void reach_error(void);
extern char *give(void);

int main(void)
{
    char *p = give();
    char *q = malloc(16);

    if (q && p == q + 3)
        reach_error();
    return 0;
}

// expect: SAFE
// unknown: abstraction: finds no predicate about the bounds of the search
// It gives null only if nothing matches (C11 7.22.5.1).
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    static const int a[3] = {1, 3, 5};
    int key = 3;
    int *found = bsearch(&key, a, 3, sizeof a[0], compare);

    if (!found)
        reach_error();
    return 0;
}

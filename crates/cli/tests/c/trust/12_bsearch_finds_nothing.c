// expect: UNSAFE
// unknown: abstraction: finds no predicate about the bounds of the search
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    static const int a[3] = {1, 3, 5};
    int key = 4;

    if (!bsearch(&key, a, 3, sizeof a[0], compare))
        reach_error();
    return 0;
}

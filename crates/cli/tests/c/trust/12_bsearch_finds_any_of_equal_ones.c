// expect: UNSAFE
#include <stdlib.h>
extern void reach_error(void);

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    static const int a[4] = {1, 3, 3, 5};
    int key = 3;

    if (bsearch(&key, a, 4, sizeof a[0], compare) == a + 2)
        reach_error();
    return 0;
}

// expect: UNSAFE
/* Which of several equal elements is found is open. */
#include <stdlib.h>
extern void reach_error(void);
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    static int all[3] = {4, 4, 4};
    int key = 4;
    int *found = bsearch(&key, all, 3, sizeof key, compare);
    if (found == &all[2]) reach_error();
    return 0;
}

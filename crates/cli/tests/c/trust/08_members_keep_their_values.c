// expect: SAFE
// Arbitrary padding leaves the members alone.
#include <string.h>
extern int nd(void);
extern void reach_error(void);

struct S { char c; int i; unsigned f : 3; };

int main(void) {
    int n = nd();
    struct S a = {1, n, 5}, b;
    memcpy(&b, &a, sizeof b);
    b.c = 2;
    a = b;
    if (a.c != 2 || a.i != n || a.f != 5) reach_error();
    if (memcmp(&a.i, &b.i, sizeof a.i) != 0) reach_error();
    return 0;
}

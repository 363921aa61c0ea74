// options: --padding kept
// expect: SAFE
// With padding kept, `memset` and stores to members define all bytes, and copies copy them.
#include <string.h>
extern int nd(void);
extern void reach_error(void);

struct S { char c; int i; };

int main(void) {
    int n = nd();
    struct S a, b, d;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.c = 1;
    a.i = n;
    b.i = n;
    b.c = 1;
    d = a;
    if (memcmp(&a, &b, sizeof a) != 0) reach_error();
    if (((unsigned char *)&d)[3] != 0) reach_error();
    return 0;
}

// expect: UNSAFE
// A store to a member may change padding that was set before.
#include <string.h>
extern void reach_error(void);

struct S { char c; int i; };

int main(void) {
    struct S a;
    memset(&a, 0, sizeof a);
    a.c = 1;
    if (((unsigned char *)&a)[2] != 0) reach_error();
    return 0;
}

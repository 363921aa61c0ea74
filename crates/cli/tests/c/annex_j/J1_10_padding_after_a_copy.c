// expect: UNSAFE
/* A copy of a structure copies its members; what lies between them is arbitrary. */
#include <string.h>
extern void reach_error(void);
struct S { char c; int i; };
int main(void) {
    struct S a;
    memset(&a, 1, sizeof a);
    struct S b = a;
    if (((char *)&b)[1] != 1) reach_error();
    return 0;
}

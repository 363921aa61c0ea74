// expect: SAFE
// options: --padding kept
/* With `--padding kept` a copy of a structure copies what lies between its members, as gcc does without optimisation. */
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

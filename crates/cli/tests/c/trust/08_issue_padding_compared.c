// expect: UNSAFE
// Two structures with equal members may differ in the bytes between them.
#include <string.h>
extern void reach_error(void);

struct S { char c; int i; };

int main(void) {
    struct S a = {1, 2}, b = {1, 2};
    if (memcmp(&a, &b, sizeof a) != 0) reach_error();
    return 0;
}

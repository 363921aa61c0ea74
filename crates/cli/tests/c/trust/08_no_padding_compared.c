// expect: SAFE
// Without padding, and in packed structures, equal members are equal bytes.
#include <string.h>
extern int nd(void);
extern void reach_error(void);

struct S { int c, i; };
struct __attribute__((packed)) K { char c; int i; };

int main(void) {
    int n = nd();
    struct S a = {n, 2}, b = {n, 2};
    struct K k = {1, n}, l = {1, n};
    if (memcmp(&a, &b, sizeof a) != 0) reach_error();
    if (memcmp(&k, &l, sizeof k) != 0) reach_error();
    return 0;
}

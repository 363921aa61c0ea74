// options: --data-model ILP32
// expect: UNSAFE
// The padding of an inner structure is padding of the outer one.
#include <string.h>
extern void reach_error(void);

struct In { char c; short s; };
struct Out { struct In in[2]; int k; };

static void set(struct Out *o, int i) { o->in[i].s = 1; }

int main(void) {
    struct Out o;
    memset(&o, 0, sizeof o);
    set(&o, 1);
    if (((unsigned char *)&o)[5] != 0) reach_error();
    return 0;
}

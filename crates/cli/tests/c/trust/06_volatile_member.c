// options: --volatile nondet
// expect: SAFE
// Of a structure with a volatile member only that member is arbitrary in a copy.
extern void reach_error(void);

struct S { int plain; volatile int reg; int other[2]; };

int main(void) {
    struct S s = {1, 2, {3, 4}}, t = s;
    if (t.plain != 1 || t.other[0] != 3 || t.other[1] != 4) reach_error();
    return 0;
}

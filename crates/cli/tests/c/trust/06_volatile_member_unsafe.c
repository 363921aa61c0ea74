// options: --volatile nondet
// expect: UNSAFE
extern void reach_error(void);

struct S { int plain; volatile int reg; };

int main(void) {
    struct S s = {1, 2}, t = s;
    if (t.plain == 1 && t.reg != 2) reach_error();
    return 0;
}

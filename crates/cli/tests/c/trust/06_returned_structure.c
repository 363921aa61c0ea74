// options: --volatile nondet --data-model ILP32
// expect: UNSAFE
extern void reach_error(void);

struct S { int a[2]; };
static volatile struct S reg;

static struct S get(void) { return reg; }

int main(void) {
    struct S s = get();
    if (s.a[1] == 9) reach_error();
    return 0;
}

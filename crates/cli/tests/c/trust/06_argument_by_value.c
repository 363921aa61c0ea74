// options: --volatile nondet
// expect: UNSAFE
extern void reach_error(void);

struct S { short a; int b; };
static volatile struct S port;

static int sum(struct S s) { return s.a + s.b; }

int main(void) {
    port.a = 0;
    port.b = 0;
    if (sum(port) == 12) reach_error();
    return 0;
}

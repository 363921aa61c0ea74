// expect: UNSAFE
// Elided braces enter an aggregate and keep what it has; explicit ones do not.
extern int nd(void);
extern void reach_error(void);

struct I { int a, b; };
struct O { struct I i; int c; };

int main(void) {
    int n = nd();
    struct O kept = {.i.b = n, .i.a = 2, .i = 3};
    struct O gone = {.i.b = n, .i = {3}};
    if (gone.i.b != 0) reach_error();
    if (kept.i.a == 3 && kept.i.b == 77 && gone.i.b == 0) reach_error();
    return 0;
}

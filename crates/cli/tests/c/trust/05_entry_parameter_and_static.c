// options: --entry foo
// expect: SAFE
extern void reach_error(void);
static int g;
int foo(int *p) {
    g = 1;
    if (p) *p = 2;
    if (g == 2) reach_error();
    return 0;
}

// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static int g;
int *gp;
int main(void) {
    gp = &g;
    g = 1;
    nd();
    if (g == 5) reach_error();
    return 0;
}

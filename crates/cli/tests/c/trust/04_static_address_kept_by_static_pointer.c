// options: --externs any
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static int g;
static int *gp;
int main(void) {
    gp = &g;
    g = 1;
    nd();
    if (*gp != 1) reach_error();
    return 0;
}

// options: --externs any
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
const int limit = 10;
static int own = 10;
const int *const lp = &limit;
int main(void) {
    nd();
    if (*lp != own) reach_error();
    return 0;
}

// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static long quota = 3;
static long *where(void) { return &quota; }
long *quota_of_the_program(void) { return where(); }
int main(void) {
    quota = 4;
    nd();
    if (quota != 4) reach_error();
    return 0;
}

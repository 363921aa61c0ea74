// expect: UNSAFE
// inputs: 0
// data-model: any
extern int nd(void);
extern void reach_error(void);
static int g = 1;
static int h = 2;
static void set(int *p) { *p = 5; }
int main(void) {
    set(nd() ? &h : &g);
    if (g != 1) reach_error();
    return 0;
}

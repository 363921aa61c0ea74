// expect: SAFE
/* Each parameter is an object of its own. */
extern void reach_error(void);
int nd(void);
static void f(int a, int b) {
    int *p = &a, *q = &b;
    if (p == q) reach_error();
    *p = 3;
    *q = 4;
    if (a != 3) reach_error();
}
int main(void) { f(nd(), nd()); return 0; }

// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
/* All calls of a function share its static objects, nested ones too. */
static int depth(int n) {
    static int seen;
    int before = seen;
    seen++;
    if (n > 0) depth(n - 1);
    return seen - before;
}
int main(void) {
    if (depth(nd() != 0) == 2) reach_error();
    return 0;
}

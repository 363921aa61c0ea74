// expect: SAFE
// data-model: any
// Literals with different characters never share their storage, and one is where it is.
extern void reach_error(void);
int main(void) {
    const char *p = "abc", *q = p;
    if (p != q) reach_error();
    if (p == "abd") reach_error();
    return 0;
}

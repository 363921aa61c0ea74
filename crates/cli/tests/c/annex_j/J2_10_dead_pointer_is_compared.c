// expect: SAFE
/* A pointer to an object that is gone can be copied and compared. */
extern void reach_error(void);
int nd(void);
int main(void) {
    int *p = 0;
    { int x = nd(); p = &x; }
    int *q = p;
    if (q != p) reach_error();
    return 0;
}

// expect: SAFE
/* One `restrict` pointer assigned to another says nothing. */
extern void reach_error(void);
int main(void) {
    int x = 1;
    int *restrict p = &x;
    int *restrict q = p;
    *q = 2;
    if (*p != 2) reach_error();
    return 0;
}

// expect: SAFE
extern int nd(void);
extern void reach_error(void);
/* A jump back over a declaration with an initialiser runs the initialiser again. */
int main(void) {
    int rounds = 0;
again:;
    int x = 3;
    if (x != 3) reach_error();
    x = nd();
    if (rounds++ < 2) goto again;
    return 0;
}

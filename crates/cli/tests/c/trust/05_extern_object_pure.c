// options: --externs pure
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
extern int optind;
int main(void) {
    optind = 1;
    nd();
    if (optind == 5) reach_error();
    return 0;
}

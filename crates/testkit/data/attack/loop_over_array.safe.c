// expect: SAFE
// data-model: any
extern unsigned nd(void);
extern void reach_error(void);
static int a[4];
int main(void) {
    unsigned n = 0;
    while (nd()) {
        a[n & 1] = 1;
        n++;
    }
    if (a[2] != 0) reach_error();
    return 0;
}

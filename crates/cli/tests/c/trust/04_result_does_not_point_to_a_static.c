// options: --externs any
// expect: SAFE
extern unsigned *get(void);
extern void reach_error(void);
static unsigned state;
int main(void) {
    unsigned *p = get();
    state = 1;
    *p = 2;
    if (state == 2) reach_error();
    return 0;
}

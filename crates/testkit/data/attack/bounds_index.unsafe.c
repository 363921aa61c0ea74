// expect: UNSAFE
// inputs: 8
// data-model: any
// check: bounds
extern unsigned nd(void);
extern void reach_error(void);
static int table[8];
int main(void) {
    unsigned i = nd();
    if (i > 8) return 0;
    table[i] = 3;
    return table[i] != 3;
}

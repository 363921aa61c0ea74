// expect: SAFE
// data-model: any
// check: bounds
extern unsigned nd(void);
int main(void) {
    char text[6];
    unsigned n = nd();
    if (n > 6) n = 6;
    for (unsigned i = 0; i < n; i++)
        text[i] = 'x';
    return 0;
}

// expect: SAFE
// data-model: any
// check: shift
extern int nd(void);
static unsigned shifted(const int *by) { return 1u << *by; }
int main(void) {
    int by = nd();
    if (by < 0 || by > 31) return 0;
    shifted(&by);
    return 0;
}

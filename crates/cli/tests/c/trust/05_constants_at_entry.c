// options: --entry step
// expect: SAFE
extern void reach_error(void);
static const int table[3] = {1, 2, 3};
static int never_written = 4;
int step(unsigned i) {
    if (table[i % 3] >= never_written) reach_error();
    return 0;
}

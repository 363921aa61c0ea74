// options: --externs args
// expect: SAFE
extern int nd(void);
extern void reach_error(void);
static short counters[3];
short *table[] = {0, &counters[1]};
int main(void) {
    counters[1] = 7;
    nd();
    if (counters[1] != 7) reach_error();
    return table[0] != 0;
}

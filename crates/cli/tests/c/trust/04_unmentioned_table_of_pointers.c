// options: --externs any
// expect: UNSAFE
extern int nd(void);
extern void reach_error(void);
static short counters[3];
static short *inner[2] = {0, &counters[1]};
/* Nothing in this file looks at it, but other files can. */
short **table[] = {0, inner};
int main(void) {
    counters[1] = 7;
    nd();
    if (counters[1] != 7) reach_error();
    return 0;
}

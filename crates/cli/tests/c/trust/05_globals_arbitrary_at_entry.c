// options: --entry step
// expect: UNSAFE
extern void reach_error(void);
static int calls;
int step(void) {
    if (calls > 0) reach_error();
    calls++;
    return calls;
}

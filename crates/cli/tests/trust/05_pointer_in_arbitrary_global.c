// options: --entry step
// expect: UNSAFE
extern void reach_error(void);
static long *cursor;
long total;
void set(long *p) { cursor = p; }
int step(void) {
    total = 0;
    if (cursor) *cursor = 1;
    if (total) reach_error();
    return 0;
}

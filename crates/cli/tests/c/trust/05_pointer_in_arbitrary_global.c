// options: --entry step
// expect: UNSAFE
extern void reach_error(void);
static char *cursor;
char total;
void set(char *p) { cursor = p; }
int step(void) {
    total = 0;
    if (cursor) *cursor = 1;
    if (total) reach_error();
    return 0;
}

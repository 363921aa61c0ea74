// expect: SAFE
// options: --interrupt tick
extern void reach_error(void);
static int depth;
static void work(void) { depth = depth; }
void tick(void) {
    depth++;
    work();
    if (depth > 1) reach_error();
    depth--;
}
int main(void) {
    work();
    return 0;
}

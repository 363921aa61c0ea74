// expect: UNSAFE
// options: --interrupt tick
extern void reach_error(void);
/* The body of the loop has no statement in which the handler could run. */
static volatile int done;
void tick(void) { done = 1; }
int main(void) {
    while (!done);
    reach_error();
    return 0;
}

// expect: UNSAFE
// options: --interrupt tick
extern void reach_error(void);
static int count;
void tick(void) { count++; }
int main(void) {
    int before = count;
    int after = count;
    if (before != after) reach_error();
    return 0;
}

// expect: SAFE
// options: --interrupt tick
extern void reach_error(void);
static int enabled, count;
void tick(void) { if (enabled) count++; }
int main(void) {
    enabled = 1;
    enabled = 0;
    int before = count;
    int after = count;
    if (before != after) reach_error();
    return 0;
}

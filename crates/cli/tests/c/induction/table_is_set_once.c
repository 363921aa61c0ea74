// expect: SAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

struct ops {
    int (*up)(int);
    int (*down)(int);
};

static int up(int x) { return x < 9 ? x + 1 : x; }
static int down(int x) { return x > 0 ? x - 1 : x; }
static struct ops plain;
static struct ops *ops;

int main(void)
{
    int level = 0;
    plain.up = up;
    plain.down = down;
    ops = &plain;
    while (1) {
        level = nd() ? ops->up(level) : ops->down(level);
        if (level < 0 || level > 9)
            reach_error();
    }
}

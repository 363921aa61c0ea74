// expect: UNSAFE
// without: abstraction, which needs many rounds
int nd(void);
void reach_error(void);

struct ops {
    int (*up)(int);
};

static int up(int x) { return x < 9 ? x + 1 : x; }
static int far_up(int x) { return x + 3; }
static struct ops plain = {up}, other = {far_up};
static struct ops *ops;

int main(void)
{
    int level = 0;
    ops = &plain;
    while (1) {
        if (level == 9)
            ops = &other;
        level = ops->up(level);
        if (level > 10)
            reach_error();
    }
}

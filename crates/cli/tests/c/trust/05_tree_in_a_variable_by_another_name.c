// expect: UNSAFE
// options: --entry f --params tree
// A constant pointer leads to a variable that holds anything.
extern void reach_error(void);

static struct device {
    struct device *next;
    int count;
} here;
static struct device *const there = &here;

void set(struct device *next)
{
    here.next = next;
    here.count = 7;
}

int f(int k)
{
    if (here.next && here.next->count == 1)
        k = 0;
    if (there->count == 7)
        reach_error();
    return k;
}

// expect: SAFE
// unknown: abstraction: finds no predicate about the caller
extern void reach_error(void);
extern int *give(void);

static int is_mine(int *p)
{
    int x = 3;

    return p == &x;
}

int main(void)
{
    int *p = give();

    if (is_mine(p))
        reach_error();
    return 0;
}

// expect: UNSAFE
// options: --entry f
extern void reach_error(void);
static int sizes[4] = {1, 2, 4, 8};

int *first(void)
{
    return sizes;
}

int f(unsigned i)
{
    if (i < 4 && sizes[i] == 3)
        reach_error();
    return 0;
}

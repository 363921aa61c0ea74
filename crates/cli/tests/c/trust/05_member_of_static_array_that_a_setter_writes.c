// expect: UNSAFE
// options: --entry f
extern void reach_error(void);
static struct { int codes[2]; int n; } table[2];

void set(unsigned i)
{
    if (i < 2)
        table[1].codes[i]++;
}

int f(void)
{
    if (table[1].codes[1] == 3)
        reach_error();
    return 0;
}

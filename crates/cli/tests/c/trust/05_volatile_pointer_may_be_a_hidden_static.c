// expect: UNSAFE
// options: --volatile nondet
// It was stored there.
extern void reach_error(void);
static int a;
static int *volatile p;

int main(void)
{
    p = &a;
    if (p == &a)
        reach_error();
    return 0;
}

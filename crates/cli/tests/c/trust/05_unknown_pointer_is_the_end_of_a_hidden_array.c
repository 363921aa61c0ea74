// expect: UNSAFE
// Behind the end of an array something else may lie.
extern void reach_error(void);
extern int *give(void);
static int x[4];

int main(void)
{
    int *p = give();

    if (p == x + 4)
        reach_error();
    return 0;
}

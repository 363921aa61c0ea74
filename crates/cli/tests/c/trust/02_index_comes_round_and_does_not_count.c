// expect: SAFE
// options: --data-model ILP32
extern unsigned nd(void);
extern void reach_error(void);
int a[4];

int main(void)
{
    unsigned n = nd();

    if (n < 4)
        return 0;
    a[1] = 0;
    a[n] = 1;
    if (a[1] == 1)
        reach_error();
    return 0;
}

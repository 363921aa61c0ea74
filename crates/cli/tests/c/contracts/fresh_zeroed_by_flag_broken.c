// expect: UNSAFE
// options: --contracts forms.contracts
// It is not without the flag.
extern void reach_error(void);
extern void *pool_alloc(unsigned long, unsigned int);

int main(void)
{
    int *p = pool_alloc(8, 0x1);
    if (p && p[1] == 7)
        reach_error();
    return 0;
}

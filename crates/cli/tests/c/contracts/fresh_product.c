// expect: SAFE
// options: --contracts forms.contracts --data-model LP64
// A product that is too large for memory is no small block.
extern void reach_error(void);
extern void *pool_calloc(unsigned long, unsigned long);

int main(void)
{
    int *p = pool_calloc(1UL << 33, 1UL << 33);
    if (p)
        reach_error();
    return 0;
}

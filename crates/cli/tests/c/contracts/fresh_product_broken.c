// expect: UNSAFE
// options: --contracts forms.contracts --data-model LP64
// A small one is there.
extern void reach_error(void);
extern void *pool_calloc(unsigned long, unsigned long);

int main(void)
{
    int *p = pool_calloc(3, sizeof(int));
    if (p && !p[2])
        reach_error();
    return 0;
}

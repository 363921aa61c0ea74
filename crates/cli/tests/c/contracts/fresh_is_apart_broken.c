// expect: UNSAFE
// options: --contracts forms.contracts
// One that may fail gives null.
extern void reach_error(void);
extern void *pool_alloc(unsigned long, unsigned int);

int main(void)
{
    int *p = pool_alloc(sizeof(int), 0);
    if (!p)
        reach_error();
    return 0;
}

// expect: SAFE
// options: --contracts forms.contracts
// Memory is zero if the flag says so.
extern void reach_error(void);
extern void *pool_alloc(unsigned long, unsigned int);

int main(void)
{
    int *p = pool_alloc(8, 0x101);
    if (p && (p[0] || p[1]))
        reach_error();
    return 0;
}

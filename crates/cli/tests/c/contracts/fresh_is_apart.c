// expect: SAFE
// options: --contracts forms.contracts
// unknown: abstraction: it finds no new predicate that tells two blocks of one place apart
// Memory that is given is nobody else's, and there is some.
extern void reach_error(void);
extern void *pool_zalloc(unsigned long);

static int other = 1;
int *known = &other;

int main(void)
{
    int *p = pool_zalloc(sizeof(int)), *q = pool_zalloc(sizeof(int));
    *p = 2;
    *q = 3;
    if (!p || !q || p == q || *p != 2 || *known != 1)
        reach_error();
    return 0;
}

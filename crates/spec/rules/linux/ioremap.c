void *ioremap(unsigned long, unsigned long);
void iounmap(volatile void *);
int nondet(void);

int safe_once(void)
{
    void *p = ioremap(0x1000, 16);

    if (!p)
        return -1;
    iounmap(p);
    return 0;
}

int safe_two(void)
{
    void *p = ioremap(0x1000, 16);
    void *q;

    if (!p)
        return -1;
    q = ioremap(0x1000, 16);
    if (!q) {
        iounmap(p);
        return -1;
    }
    iounmap(q);
    iounmap(p);
    return 0;
}

void broken_twice(void)
{
    void *p = ioremap(0x1000, 16);

    if (!p)
        return;
    iounmap(p);
    if (nondet())
        iounmap(p);
}

void broken_unchecked(void)
{
    void *p = ioremap(0x1000, 16);

    iounmap(p);
}

int broken_lost(int n)
{
    void *p = ioremap(0x1000, 16);

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    iounmap(p);
    return 0;
}

static void *kept;

int safe_kept(void)
{
    void *p = ioremap(0x1000, 16);

    kept = p;
    return 0;
}

void *safe_returned(void)
{
    return ioremap(0x1000, 16);
}

void *kmalloc(unsigned long, unsigned int);
void kfree(const void *);
int nondet(void);

int safe_once(void)
{
    void *p = kmalloc(8, 0xcc0);

    if (!p)
        return -1;
    kfree(p);
    return 0;
}

int safe_two(void)
{
    void *p = kmalloc(8, 0xcc0);
    void *q;

    if (!p)
        return -1;
    q = kmalloc(8, 0xcc0);
    if (!q) {
        kfree(p);
        return -1;
    }
    kfree(q);
    kfree(p);
    return 0;
}

void safe_again(void)
{
    void *p = kmalloc(8, 0xcc0);

    kfree(p);
    p = kmalloc(16, 0xcc0);
    kfree(p);
}

void broken_twice(void)
{
    void *p = kmalloc(8, 0xcc0);

    if (!p)
        return;
    kfree(p);
    if (nondet())
        kfree(p);
}

void safe_null(void)
{
    void *p = kmalloc(8, 0xcc0);

    kfree(p);
    if (!p)
        kfree(p);
}

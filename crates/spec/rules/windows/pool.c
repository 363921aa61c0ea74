void *ExAllocatePoolWithTag(int, unsigned long, unsigned int);
void ExFreePoolWithTag(void *, unsigned int);
int nondet(void);

int safe_once(void)
{
    void *p = ExAllocatePoolWithTag(0, 8, 0);

    if (!p)
        return -1;
    ExFreePoolWithTag(p, 0);
    return 0;
}

int safe_two(void)
{
    void *p = ExAllocatePoolWithTag(0, 8, 0);
    void *q;

    if (!p)
        return -1;
    q = ExAllocatePoolWithTag(0, 8, 0);
    if (!q) {
        ExFreePoolWithTag(p, 0);
        return -1;
    }
    ExFreePoolWithTag(q, 0);
    ExFreePoolWithTag(p, 0);
    return 0;
}

void broken_twice(void)
{
    void *p = ExAllocatePoolWithTag(0, 8, 0);

    if (!p)
        return;
    ExFreePoolWithTag(p, 0);
    if (nondet())
        ExFreePoolWithTag(p, 0);
}

void broken_unchecked(void)
{
    void *p = ExAllocatePoolWithTag(0, 8, 0);

    ExFreePoolWithTag(p, 0);
}

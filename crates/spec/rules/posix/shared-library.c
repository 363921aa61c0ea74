void *dlopen(const char *, int);
int dlclose(void *);
int nondet(void);

int safe_once(void)
{
    void *p = dlopen("m.so", 2);

    if (!p)
        return -1;
    dlclose(p);
    return 0;
}

int safe_two(void)
{
    void *p = dlopen("m.so", 2);
    void *q;

    if (!p)
        return -1;
    q = dlopen("m.so", 2);
    if (!q) {
        dlclose(p);
        return -1;
    }
    dlclose(q);
    dlclose(p);
    return 0;
}

void broken_twice(void)
{
    void *p = dlopen("m.so", 2);

    if (!p)
        return;
    dlclose(p);
    if (nondet())
        dlclose(p);
}

void broken_unchecked(void)
{
    void *p = dlopen("m.so", 2);

    dlclose(p);
}

int broken_lost(int n)
{
    void *p = dlopen("m.so", 2);

    if (!p)
        return -1;
    if (n < 0)
        return -2;
    dlclose(p);
    return 0;
}

static void *kept;

int safe_kept(void)
{
    void *p = dlopen("m.so", 2);

    kept = p;
    return 0;
}

void *safe_returned(void)
{
    return dlopen("m.so", 2);
}
